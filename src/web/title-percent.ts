import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let current: number | null = null;

/** Puts how far long work is before the name of every screen, in the browser's tab; null takes it away. */
export function setTitlePercent(percent: number | null): void {
  if (percent === current) return;
  current = percent;
  for (const listener of listeners) listener();
}

/** The percent, followed. */
export function useTitlePercent(): number | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
