import { useEffectEvent, useLayoutEffect } from 'react';

/** True where a typed letter belongs to what is being written. */
function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
      (target instanceof HTMLInputElement && target.type !== 'checkbox'))
  );
}

/** Whether a key is none of the page's own: with a modifier, in a field, or while a dialog or a menu is open. */
export function isElsewhere(event: KeyboardEvent): boolean {
  return (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    event.defaultPrevented ||
    isWriting(event.target) ||
    document.querySelector('[role="dialog"], [role="menu"]') !== null
  );
}

/** Tells of every key that is pressed in the window, from the moment on at which the component can be seen. */
export function useWindowKeys(onPress: (event: KeyboardEvent) => void): void {
  const press = useEffectEvent(onPress);
  // Not after painting as other effects: a quick key would be lost.
  useLayoutEffect(() => {
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
