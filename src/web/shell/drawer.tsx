import { type ReactNode, useLayoutEffect, useRef } from 'react';

type Props = { label: string; onClose: () => void; children: ReactNode };

/** The sidebar on narrow screens, over the page from the left; the browser keeps the focus inside. */
export function Drawer({ label, onClose, children }: Props) {
  const element = useRef<HTMLDialogElement>(null);

  useLayoutEffect(() => {
    const opener = document.activeElement;
    const dialog = element.current;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does what a click beside the drawer does
    <dialog
      ref={element}
      className="drawer"
      aria-label={label}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className="drawer-sheet">{children}</div>
    </dialog>
  );
}
