import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { useUser } from '#web/session.ts';
import './command-palette.css';

const PaletteDialog = lazy(async () => ({ default: (await import('./palette-dialog.tsx')).PaletteDialog }));

/** Ctrl-K or Cmd-K, or its button: a list that jumps to any screen, ticket or company. */
export function CommandPalette() {
  const { newUser } = useUser();
  const [open, setOpen] = useState(false);

  useEffect(() => {
    if (newUser) return undefined;
    const toggle = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen((before) => before || document.querySelector('dialog[open]') === null);
    };
    addEventListener('keydown', toggle);
    return () => removeEventListener('keydown', toggle);
  }, [newUser]);

  if (newUser) return null;
  return (
    <>
      <button type="button" className="palette-button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <IconSearch size={16} aria-hidden="true" />
        <span>{m.common_go_to()}</span>
        <span className="palette-keys" aria-hidden="true">
          Ctrl K
        </span>
      </button>
      {open && (
        <Suspense fallback={null}>
          <PaletteDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
