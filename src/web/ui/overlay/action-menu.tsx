import { Menu } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { focusFirst } from './move-focus.ts';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import buttons from '#web/styles/buttons.module.css';
import styles from './action-menu.module.css';

export type Action = {
  label: string;
  icon: Icon;
  danger?: boolean;
  /** Why it is impossible now. The action stays in the menu with this text. */
  reason?: string | null;
  onSelect: () => void;
};
type Props = { label: string; actions: () => readonly Action[] };

/** A button with three dots that opens a menu. The focus returns to the button before an action starts. */
export function ActionMenu({ label, actions }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  /** Undefined until the first click: a thousand menus of Mantine would take seconds to draw. */
  const [opened, setOpened] = useState<boolean>();
  const dots = {
    type: 'button',
    className: `${buttons.iconButton} ${styles.dots}`,
    'aria-label': label,
  } as const;
  if (opened === undefined)
    return <button {...dots} aria-haspopup="menu" aria-expanded={false} onClick={() => setOpened(true)} />;
  const close = () => {
    button.current?.focus();
    setOpened(false);
  };
  // Mantine moves the focus after a pause, which loses keys.
  const noFocusByMantine = {
    trapFocus: false,
    returnFocus: false,
    withInitialFocusPlaceholder: false,
    closeOnEscape: false,
  };
  return (
    <Menu
      {...noFocusByMantine}
      opened={opened}
      onChange={setOpened}
      onClose={close}
      position="bottom-end"
      offset={4}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <button ref={button} {...dots} />
      </Menu.Target>
      <Menu.Dropdown
        className={styles.menu}
        ref={focusFirst}
        onKeyDown={({ key }) => /^(Escape|Tab)$/.test(key) && close()}
      >
        <Actions actions={actions} />
      </Menu.Dropdown>
    </Menu>
  );
}

function Actions({ actions }: Pick<Props, 'actions'>) {
  return actions().map(({ label, icon: ActionIcon, danger, reason = null, onSelect }) => (
    // Not `disabled`: the keyboard has to reach the reason.
    <Menu.Item
      key={label}
      className={`${styles.action} ${danger ? styles.danger : ''}`}
      leftSection={<ActionIcon size={16} aria-hidden="true" />}
      aria-disabled={reason !== null || undefined}
      closeMenuOnClick={reason === null}
      onClick={reason === null ? onSelect : undefined}
    >
      {label}
      {reason !== null && <span className={styles.actionReason}>{reason}</span>}
    </Menu.Item>
  ));
}
