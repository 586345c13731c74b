/** Whether the latest click was the second of a double click, or a later one. */
let isSecond = false;

/** Follows all clicks. A key that presses a button makes a click that counts nothing. */
export function watchClicks(): void {
  addEventListener('click', ({ detail }) => (isSecond = detail > 1), { capture: true });
}

/**
 * Returns whether the present click, or the submission that it causes, only ends a double click: the answer to the first
 * one may have come in between.
 */
export const isSecondClick = (): boolean => isSecond;
