import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/**
 * Moves the focus back when the component unmounts, to the element that had it before. Mantine would move it after a pause,
 * in which a key is lost.
 * @param form a form in the page, which lets the user work elsewhere: then the focus is only moved from the form, or if it is lost
 */
export function useFocusBack(form?: RefObject<HTMLElement | null>): void {
  const opener = useRef<Element>(null);
  useLayoutEffect(() => {
    // In an effect, because an overlay that this one replaces has only now returned the focus to the opener.
    opener.current = document.activeElement;
    return () => {
      const isElsewhere = form && !hasLostFocus() && !form.current?.contains(document.activeElement);
      if (!isElsewhere) focusOrAround(opener.current);
    };
  }, [form]);
  // A dialog that closes with this overlay returns the focus into it, and later.
  useEffect(
    () => () => {
      if (hasLostFocus()) focusOrAround(opener.current);
    },
    [],
  );
}

/**
 * When some work ends, returns the focus to the button that started it, because browsers take the focus from a disabled
 * button. Does nothing if the user has moved the focus, and does not scroll.
 */
export function useFocusAfter(isRunning: boolean): void {
  const starter = useRef<Element>(null);
  useLayoutEffect(() => {
    if (!isRunning && starter.current !== null && hasLostFocus())
      focusOrAround(starter.current, { preventScroll: true });
    starter.current = isRunning ? document.activeElement : null;
  }, [isRunning]);
}

/** As the `ref` of a control that its own press removes: then moves the focus to its dialog or the screen. */
export function passFocusOn(control: HTMLElement | null): () => void {
  return () => {
    if (document.activeElement === control) focusAround(control, { preventScroll: true });
  };
}

/** Returns whether no element has the focus, or only one that is disabled or removed. */
function hasLostFocus(): boolean {
  return !isFocusable(document.activeElement);
}

/** Focuses an element. If it was removed or is disabled, focuses what is around it. */
export function focusOrAround(element: Element | null, options?: FocusOptions): void {
  if (isFocusable(element)) element.focus(options);
  else focusAround(element, options);
}

const overlays = '[role="dialog"], section[tabindex="-1"]';

/** Focuses the dialog or side panel of an element, or else the screen's content. */
function focusAround(element: Element | null, options?: FocusOptions): void {
  const overlay = element?.isConnected ? element.closest<HTMLElement>(overlays) : null;
  (overlay ?? document.getElementById('content'))?.focus(options);
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
