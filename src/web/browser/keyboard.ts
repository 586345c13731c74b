import { useEffectEvent, useLayoutEffect } from 'react';
import { createSwitch } from '#web/preferences/store.ts';

/** Whether shortcuts of a single key act. */
export const singleKeys = createSwitch('coverdesk.singleKeys');

export function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
      (target instanceof HTMLInputElement && target.type !== 'checkbox'))
  );
}

/** Whether a key is no shortcut: turned off, with a modifier, in a field, or while a dialog or a menu is open. */
export function isElsewhere(event: KeyboardEvent): boolean {
  return (
    !singleKeys.get() ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    event.defaultPrevented ||
    isWriting(event.target) ||
    document.querySelector('[role="dialog"], [role="menu"]') !== null
  );
}

/** Calls back for every key press in the window while the component is visible. */
export function useWindowKeys(onPress: (event: KeyboardEvent) => void): void {
  const press = useEffectEvent(onPress);
  // A layout effect, so that a key pressed right after painting is not lost.
  useLayoutEffect(() => {
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
