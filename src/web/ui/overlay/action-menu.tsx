import { Menu } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import './action-menu.css';

type Action = { label: string; icon?: ReactNode; danger?: boolean; onSelect: () => void };
type Props = { label: string; actions: () => readonly Action[] };

/** A button with three dots that opens a menu. The focus returns to the button before an action starts. */
export function ActionMenu({ label, actions }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const [used, setUsed] = useState(false);
  const dots = { type: 'button', className: 'icon-button dots', 'aria-label': label } as const;
  // Mounts Mantine's menu at the first click: a thousand of them would take seconds to draw.
  if (!used)
    return <button {...dots} aria-haspopup="menu" aria-expanded={false} onClick={() => setUsed(true)} />;
  return (
    <Menu
      defaultOpened
      position="bottom-end"
      offset={4}
      returnFocus={false}
      withInitialFocusPlaceholder={false}
      onClose={() => button.current?.focus()}
    >
      <Menu.Target>
        <button ref={button} {...dots} />
      </Menu.Target>
      <Menu.Dropdown>
        <Actions actions={actions} />
      </Menu.Dropdown>
    </Menu>
  );
}

function Actions({ actions }: Pick<Props, 'actions'>) {
  return actions().map(({ label, icon, danger, onSelect }) => (
    <Menu.Item key={label} className={danger ? 'danger' : ''} leftSection={icon} onClick={onSelect}>
      {label}
    </Menu.Item>
  ));
}
