import { Failure } from '../failures.mjs';

/**
 * Checks a page of a list. Without the number of all items, one page would be taken for all.
 * @throws Failure for an answer without items or their number
 */
export function checkPage(inventory, items, total) {
  if (!Array.isArray(items)) throw new Failure(`${inventory}: the answer has no list`);
  if (items.length > 0 && !Number.isSafeInteger(total))
    throw new Failure(`${inventory}: the answer does not say how many there are`);
}
