/** A signal that there may be something to do. However often it is given before the work is done, that is done once. */
export type Wakeup = { wake(): void };

/** A signal with the work that it brings about, which comes later in the same turn of the event loop. */
export type ListenedWakeup = Wakeup & {
  /** Sets what is done; until then signals bring about nothing. */
  listen(work: () => void): void;
};

export function createWakeup(): ListenedWakeup {
  let isWoken = false;
  let work = () => {};
  const run = () => {
    isWoken = false;
    work();
  };
  return {
    wake() {
      if (isWoken) return;
      isWoken = true;
      queueMicrotask(run);
    },
    listen(given) {
      work = given;
    },
  };
}
