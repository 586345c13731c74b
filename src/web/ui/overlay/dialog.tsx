import { IconX } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { m } from '#shared/texts/messages.js';
import { DialogToasts } from '#web/ui/feedback/toast.tsx';
import { useModal } from './modal.ts';
import './dialog.css';

type Props = {
  title: ReactNode;
  onClose: () => void;
  /** While something runs the dialog cannot be closed. */
  busy?: boolean;
  /** Reads `children` out as the dialog's description, as a question wants it. */
  question?: boolean;
  wide?: boolean;
  children: ReactNode;
  /** The buttons; Cancel first. */
  footer?: ReactNode;
};

/** A dialog over the page, drawn while it is mounted; the focus goes back to where it was. */
export function Dialog({
  title,
  onClose,
  busy = false,
  question = false,
  wide = false,
  children,
  footer,
}: Props) {
  // What the dialog is about comes before the way out of it.
  const modal = useModal({ onClose, busy, startIn: '.dialog-body, .dialog-foot' });
  const id = useId();

  return (
    <dialog
      {...modal}
      className={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={`${id}-title`}
      aria-describedby={question ? `${id}-text` : undefined}
    >
      <div className="dialog-sheet">
        <div className="dialog-head">
          <h2 id={`${id}-title`}>{title}</h2>
          <button
            type="button"
            className="icon-button"
            aria-label={m.common_close()}
            disabled={busy}
            onClick={onClose}
          >
            <IconX size={18} aria-hidden="true" />
          </button>
        </div>
        <div className="dialog-body" id={`${id}-text`}>
          {children}
        </div>
        {footer !== undefined && <div className="dialog-foot">{footer}</div>}
      </div>
      <DialogToasts />
    </dialog>
  );
}
