import { useEffect, useLayoutEffect, useRef } from 'react';

/**
 * Moves the focus back when the component unmounts, to the element that had it before. Mantine would move it after a pause,
 * in which a key is lost.
 */
export function useFocusBack(): void {
  const opener = useRef<Element>(null);
  useLayoutEffect(() => {
    // In an effect, because an overlay that this one replaces has only now returned the focus to the opener.
    opener.current = document.activeElement;
    return () => focusOrAround(opener.current);
  }, []);
  // A dialog that closes with this overlay returns the focus into it, and later.
  useEffect(
    () => () => {
      if (hasLostFocus()) focusOrAround(opener.current);
    },
    [],
  );
}

/**
 * Moves the focus back when work ends, to the button that has started it: browsers take the focus from a button that is
 * disabled meanwhile. Leaves it where the user has moved it.
 */
export function useFocusAfter(isRunning: boolean): void {
  const starter = useRef<Element>(null);
  useLayoutEffect(() => {
    if (!isRunning && starter.current !== null && hasLostFocus()) focusOrAround(starter.current);
    starter.current = isRunning ? document.activeElement : null;
  }, [isRunning]);
}

/** Returns whether the next Tab begins nowhere, or at a control that is about to lose the focus. */
export function hasLostFocus(): boolean {
  return !isFocusable(document.activeElement);
}

/** Focuses an element, or what is around it where it is gone, as after a deletion, or disabled. */
export function focusOrAround(element: Element | null): void {
  if (isFocusable(element)) element.focus();
  else focusAround(element);
}

/** Focuses the dialog of an element, or else the screen's content. */
export function focusAround(element: Element | null): void {
  const dialog = element?.isConnected ? element.closest<HTMLElement>('[role="dialog"]') : null;
  (dialog ?? document.getElementById('content'))?.focus();
}

function isFocusable(element: Element | null): element is HTMLElement {
  const isThere = element instanceof HTMLElement && element.isConnected && element !== document.body;
  return isThere && !element.matches(':disabled');
}

const controls = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';

/** Focuses the first control within an element; as a `ref`, when the element appears. */
export function focusFirst(element: HTMLElement | null): void {
  const all = [...(element?.querySelectorAll<HTMLElement>(controls) ?? [])];
  const first = all.find((control) => !control.matches(':disabled') && control.checkVisibility());
  // Mantine's focus trap looks for this mark.
  first?.setAttribute('data-autofocus', '');
  first?.focus({ preventScroll: true });
}
