import type { ReactNode } from 'react';
import { useModal } from '#web/ui/modal.ts';

type Props = { label: string; onClose: () => void; children: ReactNode };

/** The sidebar on narrow screens, over the page from the left. */
export function Drawer({ label, onClose, children }: Props) {
  const { element, wrapTab } = useModal();
  return (
    <dialog
      ref={element}
      className="drawer"
      aria-label={label}
      onKeyDown={wrapTab}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className="drawer-sheet">{children}</div>
    </dialog>
  );
}
