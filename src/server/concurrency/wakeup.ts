/** Signals that there may be work. Several signals before the work runs trigger it once. */
export type Wakeup = { wake(): void };

/** A wake-up and its work, which runs as a microtask. */
export type ListenedWakeup = Wakeup & {
  /** Sets the work. Before that, signals have no effect. */
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
