/** Whether the latest key press was a repetition by a key that is held down. */
let isHeld = false;
/** Whether the present click is the second of a double click, a later one, or made by a key that is held down. */
let isSecond = false;

/** Follows all clicks and keys. */
export function watchClicks(): void {
  addEventListener('keydown', ({ repeat }) => (isHeld = repeat), { capture: true });
  addEventListener('keyup', () => (isHeld = false), { capture: true });
  addEventListener('click', followClick, { capture: true });
}

function followClick({ detail }: MouseEvent): void {
  // A key presses a button by a click that counts nothing.
  isSecond = detail > 1 || (detail === 0 && isHeld);
  // A later submission has another cause, such as a password manager after a double click into a field.
  setTimeout(() => {
    isSecond = false;
  });
}

/**
 * Returns whether the present click, or the submission that it causes, only ends a double click or comes from a key that is
 * held down: the answer to the first one may have come in between.
 */
export const isSecondClick = (): boolean => isSecond;
