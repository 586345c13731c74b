import { type ComponentProps, type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef } from 'react';

const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex="0"]';

/** What can take the focus: a file field that a button stands for is hidden and cannot. */
function stopsWithin(element: HTMLElement): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>(focusable)].filter((stop) => stop.checkVisibility());
}

/** Keeps Tab inside: from the last to the first and back. */
function wrapTab(event: KeyboardEvent<HTMLDialogElement>): void {
  if (event.key !== 'Tab') return;
  const stops = stopsWithin(event.currentTarget);
  const leaving = event.shiftKey ? stops[0] : stops.at(-1);
  if (document.activeElement !== leaving) return;
  event.preventDefault();
  (event.shiftKey ? stops.at(-1) : stops[0])?.focus();
}

type Options = {
  onClose: () => void;
  /** While something runs nothing closes it. */
  busy?: boolean;
  /** Where the first focus goes, as a selector of parts in their order; the browser's choice without it. */
  startIn?: string;
};

/**
 * What makes a `dialog` modal while it is mounted. The focus goes to the first control within `startIn`, stays inside,
 * and goes back to where it was; where that is gone, as after a deletion, to the screen's content. Escape, the phone's
 * Back and a click beside it close it.
 */
export function useModal({ onClose, busy = false, startIn }: Options): ComponentProps<'dialog'> {
  const element = useRef<HTMLDialogElement>(null);
  const pressedBeside = useRef(false);

  useLayoutEffect(() => {
    const opener = document.activeElement;
    const dialog = element.current;
    dialog?.showModal();
    if (startIn !== undefined && dialog) {
      stopsWithin(dialog)
        .find((stop) => stop.closest(startIn))
        ?.focus();
    }
    return () => {
      dialog?.close();
      const back = opener instanceof HTMLElement && opener.isConnected && !opener.matches(':disabled');
      (back ? opener : document.getElementById('content'))?.focus();
    };
  }, [startIn]);

  const isBeside = (event: PointerEvent) => event.target === element.current;
  return {
    ref: element,
    closedby: busy ? 'none' : 'closerequest',
    onKeyDown: wrapTab,
    // It closes here and now: `close` comes a task later, and a key in between would open what still counts as open.
    onCancel: (event) => {
      // A file field within tells of its own cancelling by the same name.
      if (event.target !== element.current || !event.cancelable) return;
      event.preventDefault();
      if (!busy) onClose();
    },
    // Browsers ask once and close at the second Escape; those without `closedby` are answered by opening it again.
    onClose: () => {
      if (busy) element.current?.showModal();
      else onClose();
    },
    // A click beside it begins and ends there: text may be dragged out of the dialog, and what was pressed by mistake let go in it.
    onPointerDown: (event) => {
      pressedBeside.current = isBeside(event);
    },
    onPointerUp: (event) => {
      pressedBeside.current &&= isBeside(event);
    },
    onClick: (event) => {
      if (pressedBeside.current && event.target === element.current && !busy) onClose();
    },
  };
}
