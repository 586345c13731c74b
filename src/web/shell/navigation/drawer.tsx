import type { ReactNode } from 'react';
import { useModal } from '#web/ui/overlay/modal.ts';

type Props = { label: string; onClose: () => void; children: ReactNode };

/** The sidebar on narrow screens, over the page from the left. */
export function Drawer({ label, onClose, children }: Props) {
  return (
    <dialog {...useModal({ onClose })} className="drawer" aria-label={label}>
      <div className="drawer-sheet">{children}</div>
    </dialog>
  );
}
