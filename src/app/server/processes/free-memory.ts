const startMs = 10_000; // longer than the start of a process
const secondMs = 2000; // the second collection frees the code that the first one marked as unused
const idleMs = 30_000; // longer than a worker waits between two calls of a slow source
const lookMs = 1000;

/** Returns free memory to the system, about 0.1 s of work. An ordinary collection lets V8 keep it for later. */
function collect(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * Frees the memory that only the start of this process needed: a sixth of the product's memory at rest. V8 would keep it
 * while little is allocated. Requires `--expose-gc`.
 */
export function freeMemoryAfterStart(): void {
  setTimeout(() => {
    collect();
    setTimeout(collect, secondMs).unref();
  }, startMs).unref();
}

/**
 * Frees the memory that only the work of this process needed, each time it has not been busy for 30 s: 190 MB of a worker.
 * Requires `--expose-gc`.
 */
export function freeMemoryAfterWork(isBusy: () => boolean): void {
  let collection: NodeJS.Timeout | undefined;
  setInterval(() => {
    if (!isBusy()) return;
    clearTimeout(collection);
    collection = setTimeout(collect, idleMs).unref();
  }, lookMs).unref();
}
