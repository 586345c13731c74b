import { useEffect, useEffectEvent } from 'react';

/** A part of the browser that TypeScript does not describe yet. */
declare const CloseWatcher: new () => EventTarget & { destroy(): void };

/**
 * Closes the open dialog or drawer by a phone's back gesture, which would otherwise leave the screen. On other devices
 * CloseWatcher would take Escape, which Mantine and the lists inside a dialog need.
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
