import { useEffectEvent, useLayoutEffect } from 'react';
import { createStore } from '#web/preferences/store.ts';
import { readStored, writeStored } from '#web/preferences/stored.ts';

const singleKeysName = 'coverdesk.singleKeys';
const singleKeys = createStore(readStored(singleKeysName) !== 'off');

export const useSingleKeys = singleKeys.useValue;

export function setSingleKeys(on: boolean): void {
  writeStored(singleKeysName, on ? null : 'off');
  singleKeys.set(on);
}

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
