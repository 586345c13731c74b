import { useEffect, useEffectEvent } from 'react';

/** A part of the browser that TypeScript does not describe yet. */
declare const CloseWatcher: new () => EventTarget & { destroy(): void };

/**
 * Closes what is open by the back gesture of a phone, which would otherwise leave the screen. Elsewhere the same part of
 * the browser listens to Escape, which Mantine and the lists inside a dialog use.
 */
export function useBackGesture(onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!('CloseWatcher' in window && matchMedia('(pointer: coarse)').matches)) return undefined;
    const watcher = new CloseWatcher();
    watcher.addEventListener('close', () => close());
    return () => watcher.destroy();
  }, []);
}
