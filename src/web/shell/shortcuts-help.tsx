import { useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { isElsewhere, useWindowKeys } from '#web/browser/keyboard.ts';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import './shortcuts-help.css';

/** `?` shows what the keyboard can do. */
export function ShortcutsHelp() {
  const [open, setOpen] = useState(false);

  useWindowKeys((event) => {
    if (event.key === '?' && !isElsewhere(event)) setOpen(true);
  });

  if (!open) return null;
  const shortcuts = [
    { keys: ['Ctrl K'], what: m.common_shortcut_palette() },
    { keys: ['/'], what: m.common_shortcut_search() },
    { keys: ['j', 'k'], what: m.common_shortcut_rows() },
    { keys: ['Enter'], what: m.common_shortcut_open() },
    { keys: ['c'], what: m.common_shortcut_copy() },
    { keys: ['x'], what: m.common_shortcut_select() },
    { keys: ['F8'], what: m.common_shortcut_toasts() },
    { keys: ['?'], what: m.common_shortcut_help() },
  ];
  return (
    <Dialog title={m.common_shortcuts()} onClose={() => setOpen(false)}>
      <dl className="shortcuts">
        {shortcuts.map(({ keys, what }) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
