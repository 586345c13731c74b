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
 * Returns whether the current click or submission is a repeat: the second of a double click, or from a key that is held
 * down. The first may have changed the screen in between, so a repeat must not act.
 */
export const isSecondClick = (): boolean => isSecond;
