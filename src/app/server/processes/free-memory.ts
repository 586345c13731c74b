const startMs = 10_000; // longer than the start of a process
const secondMs = 2000; // the second collection frees the code that the first one marked as unused

/**
 * Frees the memory that only the start of this process needed: a sixth of the product's memory at rest. V8 would keep it
 * while little is allocated. Requires `--expose-gc`.
 */
export function freeMemoryAfterStart(): void {
  const collect = () => void globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  setTimeout(() => {
    collect();
    setTimeout(collect, secondMs).unref();
  }, startMs).unref();
}
