import { IconDots } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import './action-menu.css';

export type Action = {
  label: string;
  icon?: ReactNode;
  danger?: boolean;
  onSelect: () => void;
};

/** A button with three dots that opens a menu over everything else; it never gets clipped by a table. */
export function ActionMenu({ label, actions }: { label: string; actions: readonly Action[] }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);

  const items = () => [...(menu.current?.querySelectorAll('button') ?? [])];
  const close = () => {
    menu.current?.hidePopover();
    button.current?.focus();
  };
  /** Below the button, or above where there is no room; never beyond the screen's edge. */
  const place = () => {
    const anchor = button.current?.getBoundingClientRect();
    const list = menu.current;
    if (!anchor || !list) return;
    const below = anchor.bottom + 4;
    const fits = below + list.offsetHeight < window.innerHeight - 8;
    list.style.top = `${fits ? below : anchor.top - list.offsetHeight - 4}px`;
    list.style.left = `${Math.max(8, anchor.right - list.offsetWidth)}px`;
    items()[0]?.focus();
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
    <>
      <button
        ref={button}
        type="button"
        className="icon-button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        popoverTarget={id}
      >
        <IconDots size={18} aria-hidden="true" />
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        className="action-menu"
        onBeforeToggle={(event) => {
          // Drawn only now, so that a thousand rows do not carry a thousand menus.
          flushSync(() => setOpen(event.newState === 'open'));
        }}
        onToggle={(event) => {
          if (event.newState === 'open') place();
        }}
        onKeyDown={onKeyDown}
      >
        {open &&
          actions.map((action) => (
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
    </>
  );
}
