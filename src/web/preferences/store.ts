import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from './stored.ts';

/** A value that lives outside React, and the screens that follow it. */
export function createStore<T>(initial: T) {
  let current = initial;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const get = () => current;
  return {
    get,
    set(next: T): void {
      if (Object.is(next, current)) return;
      current = next;
      for (const listener of listeners) listener();
    },
    useValue: () => useSyncExternalStore(subscribe, get),
  };
}

/** A switch that is on at first and remembered once it is off. */
export function createSwitch(key: string) {
  const { set, ...isOn } = createStore(readStored(key) !== 'off');
  return {
    ...isOn,
    set(on: boolean): void {
      writeStored(key, on ? null : 'off');
      set(on);
    },
  };
}
