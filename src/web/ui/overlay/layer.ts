import { useEffect, useEffectEvent, useLayoutEffect } from 'react';

/** A part of the browser that TypeScript does not describe yet. */
declare const CloseWatcher: new () => EventTarget & { destroy(): void };

/** The open dialogs and drawers, the topmost last. */
const layers: object[] = [];

/**
 * Makes a dialog or drawer the topmost layer: Escape closes only this one, and only this one hears other keys. A phone's
 * back gesture, which would otherwise leave the screen, closes it as well.
 */
export function useLayer(onClose: () => void, onKey?: (event: KeyboardEvent) => void): void {
  const close = useEffectEvent(onClose);
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape') onKey?.(event);
    else if (!event.isComposing && !isList(event.target)) onClose();
  });

  useLayoutEffect(() => {
    const layer = {};
    // Lower layers get a key first, so that a layer that this key uncovers does not handle it too.
    const listen = (event: KeyboardEvent) => layers.at(-1) === layer && press(event);
    layers.push(layer);
    addEventListener('keydown', listen, { capture: true });
    return () => {
      removeEventListener('keydown', listen, { capture: true });
      layers.splice(layers.indexOf(layer), 1);
    };
  }, []);

  useEffect(() => {
    // On other devices CloseWatcher would take Escape, which the lists inside a dialog need.
    if (!('CloseWatcher' in window && matchMedia('(pointer: coarse)').matches)) return undefined;
    let watcher: InstanceType<typeof CloseWatcher>;
    const watch = () => {
      watcher = new CloseWatcher();
      watcher.addEventListener('close', () => {
        close();
        // A gesture uses its watcher up, also if the dialog stays open because it works.
        watch();
      });
    };
    watch();
    return () => watcher.destroy();
  }, []);
}

/** Returns whether Escape belongs to an open list or menu, which Mantine marks. */
function isList(target: EventTarget | null): boolean {
  return target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true';
}
