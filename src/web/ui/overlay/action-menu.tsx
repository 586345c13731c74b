import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import './action-menu.css';

type Action = {
  label: string;
  icon?: ReactNode;
  danger?: boolean;
  onSelect: () => void;
};

type Props = {
  label: string;
  /** Asked for when the menu opens, so that a thousand rows do not carry a thousand menus. */
  actions: () => readonly Action[];
};

/** A button with three dots that opens a menu over everything else; it never gets clipped by a table. */
export function ActionMenu({ label, actions }: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const openAtPress = useRef(false);
  const [open, setOpen] = useState(false);

  return (
    <>
      <button
        ref={button}
        type="button"
        className="icon-button dots"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        // The press itself closes an open menu, as any press beside it does; the click must not open it again.
        onPointerDown={() => {
          openAtPress.current = open;
        }}
        onClick={() => {
          if (!openAtPress.current) setOpen(true);
          openAtPress.current = false;
        }}
      />
      {open && (
        <Menu
          id={id}
          label={label}
          actions={actions()}
          anchor={button.current}
          onClosed={() => setOpen(false)}
        />
      )}
    </>
  );
}

type MenuProps = {
  id: string;
  label: string;
  actions: readonly Action[];
  anchor: HTMLElement | null;
  onClosed: () => void;
};

/** The open menu; the first action has the focus, which returns to the anchor. */
function Menu({ id, label, actions, anchor, onClosed }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const items = () => [...(menu.current?.querySelectorAll('button') ?? [])];

  useLayoutEffect(() => {
    const list = menu.current;
    if (list === null || anchor === null) return;
    list.showPopover();
    // Below the button, or above where there is no room; never beyond the screen's edge.
    const box = anchor.getBoundingClientRect();
    const below = box.bottom + 4;
    const fits = below + list.offsetHeight < window.innerHeight - 8;
    list.style.top = `${fits ? below : box.top - list.offsetHeight - 4}px`;
    list.style.left = `${Math.max(8, box.right - list.offsetWidth)}px`;
    list.querySelector('button')?.focus();
  }, [anchor]);

  // `toggle` comes a task later; a key in between would open what still counts as open.
  const close = () => {
    menu.current?.hidePopover();
    anchor?.focus();
    onClosed();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items();
    const now = all.indexOf(document.activeElement as HTMLButtonElement);
    const targets: Record<string, number> = {
      ArrowDown: (now + 1) % all.length,
      ArrowUp: (now - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    };
    const target = targets[event.key];
    if (target !== undefined) {
      event.preventDefault();
      all[target]?.focus();
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      close();
    }
  };

  return (
    <div
      ref={menu}
      id={id}
      popover="auto"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      className="action-menu"
      onToggle={(event) => {
        if (event.newState === 'closed') onClosed();
      }}
      onKeyDown={onKeyDown}
    >
      {actions.map((action) => (
        <button
          key={action.label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className={action.danger ? 'danger' : undefined}
          onClick={() => {
            close();
            action.onSelect();
          }}
        >
          {action.icon}
          {action.label}
        </button>
      ))}
    </div>
  );
}
