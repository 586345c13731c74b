import { useLayoutEffect } from 'react';

/**
 * Moves the focus back when the component unmounts: to the element that had it before, or to the screen's content where
 * that element is gone, as after a deletion. Mantine would move it after a pause, in which a key is lost.
 */
export function useFocusBack(): void {
  useLayoutEffect(() => {
    // In an effect, because an overlay that this one replaces has only now returned the focus to the opener.
    const opener = document.activeElement;
    return () => {
      const isThere = opener instanceof HTMLElement && opener.isConnected && !opener.matches(':disabled');
      (isThere ? opener : document.getElementById('content'))?.focus();
    };
  }, []);
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
