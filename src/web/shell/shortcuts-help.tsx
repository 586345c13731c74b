import { Checkbox, Kbd } from '@mantine/core';
import '@mantine/core/styles/Kbd.layer.css';
import { m } from '#shared/texts/messages.js';
import { singleKeys } from '#web/browser/keyboard.ts';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import styles from './shortcuts-help.module.css';

/** The keyboard shortcuts, opened by `?`, and the switch that turns off those of a single key (WCAG 2.1.4). */
export default function ShortcutsHelp({ onClose }: { onClose: () => void }) {
  const shortcuts = [
    { keys: ['Ctrl K'], what: m.common_go_to() },
    { keys: ['F8'], what: m.common_shortcut_toasts() },
    { keys: ['/'], what: m.common_shortcut_search() },
    { keys: ['j', 'k'], what: m.common_shortcut_rows() },
    { keys: ['Enter'], what: m.common_shortcut_open() },
    { keys: ['c'], what: m.common_shortcut_copy() },
    { keys: ['x'], what: m.common_shortcut_select() },
    { keys: ['?'], what: m.common_shortcut_help() },
  ];
  return (
    <Dialog title={m.common_shortcuts()} onClose={onClose}>
      <dl className={styles.shortcuts}>
        {shortcuts.map(({ keys, what }) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <Checkbox
        label={m.common_shortcuts_single()}
        description={m.common_shortcuts_single_hint()}
        checked={singleKeys.useValue()}
        onChange={(event) => singleKeys.set(event.target.checked)}
      />
    </Dialog>
  );
}
