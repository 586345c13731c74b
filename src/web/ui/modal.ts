import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';

const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea, [tabindex="0"]';

/** Keeps Tab inside: from the last to the first and back. */
function wrapTab(event: KeyboardEvent<HTMLDialogElement>): void {
  if (event.key !== 'Tab') return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(focusable)];
  const leaving = event.shiftKey ? stops[0] : stops.at(-1);
  if (document.activeElement !== leaving) return;
  event.preventDefault();
  (event.shiftKey ? stops.at(-1) : stops[0])?.focus();
}

/**
 * Opens a `dialog` over the page while it is mounted. The focus goes to the first control within `startIn`, stays inside,
 * and goes back to where it was; where that is gone, as after a deletion, to the screen's content.
 */
export function useModal(startIn?: string) {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const dialog = element.current;
    dialog?.showModal();
    if (startIn !== undefined) dialog?.querySelector<HTMLElement>(`${startIn} :is(${focusable})`)?.focus();
    return () => {
      dialog?.close();
      const back = opener instanceof HTMLElement && opener.isConnected && !opener.matches(':disabled');
      (back ? opener : document.getElementById('content'))?.focus();
    };
  }, [startIn]);
  return { element, wrapTab };
}
