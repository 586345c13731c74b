import { setImmediate as turn } from 'node:timers/promises';

/** Some ten milliseconds of work. */
const itemsAtOnce = 200;

/** Does something with each item of a long list, and lets everybody else have their turn in between. */
export async function forEachInSlices<T>(
  items: Iterable<T>,
  work: (item: T, index: number) => void,
): Promise<void> {
  let index = 0;
  for (const item of items) {
    work(item, index);
    index += 1;
    if (index % itemsAtOnce === 0) await turn();
  }
}

/** As `map`, and as patient as `forEachInSlices`. */
export async function mapInSlices<T, R>(items: Iterable<T>, change: (item: T) => R): Promise<R[]> {
  const changed: R[] = [];
  await forEachInSlices(items, (item) => changed.push(change(item)));
  return changed;
}
