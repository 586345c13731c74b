import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { onlyPathOf } from '#web/address/paths.ts';
import { useWindowKeys } from '#web/browser/keyboard.ts';
import { useUser } from '#web/client/session.ts';
import { OverlayOnDemand } from '#web/shell/pages/overlay-on-demand.tsx';
import styles from './command-palette.module.css';

const loadDialog = () => import('./palette-dialog.tsx');

/** Ctrl-K or Cmd-K, or its button: a list that jumps to any screen, ticket or company. */
export function CommandPalette() {
  const isRestricted = onlyPathOf(useUser()) !== null;
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);

  useWindowKeys((event) => {
    if (isRestricted || event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    setOpen((before) => before || document.querySelector('[aria-modal]') === null);
  });

  if (isRestricted) return null;
  return (
    <>
      <button
        type="button"
        className={styles.paletteButton}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <IconSearch size={16} aria-hidden="true" />
        <span>{m.common_go_to()}</span>
        <span className={styles.paletteKeys} aria-hidden="true">
          Ctrl K
        </span>
      </button>
      {open && <OverlayOnDemand load={loadDialog} props={{ onClose: close }} />}
    </>
  );
}
