import { setImmediate as nextTurn } from 'node:timers/promises';

const itemsPerSlice = 200; // about 10 ms of work

/** Calls `work` for each item of a long list, and yields to the event loop between slices. */
export async function forEachInSlices<T>(
  items: Iterable<T>,
  work: (item: T, index: number) => void,
): Promise<void> {
  let index = 0;
  for (const item of items) {
    work(item, index);
    index += 1;
    if (index % itemsPerSlice === 0) await nextTurn();
  }
}

/** Maps a long list, and yields to the event loop between slices. */
export async function mapInSlices<T, R>(items: Iterable<T>, change: (item: T) => R): Promise<R[]> {
  const changed: R[] = [];
  await forEachInSlices(items, (item) => changed.push(change(item)));
  return changed;
}
