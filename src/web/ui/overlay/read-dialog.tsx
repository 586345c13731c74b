import type { ReactNode } from 'react';
import { m } from '#shared/texts/messages.js';
import typography from '#web/styles/typography.module.css';
import { type Read, ReadState } from '#web/ui/feedback/read-state.tsx';
import { Dialog } from './dialog.tsx';

type Props<T> = { title: string; read: Read<T>; onClose: () => void; children: (data: T) => ReactNode };

/** A dialog that needs data first. When they have arrived, `children` renders the dialog, with the same title. */
export function ReadDialog<T>({ title, read, onClose, children }: Props<T>) {
  if (read.data !== undefined) return children(read.data);
  return (
    <Dialog title={title} onClose={onClose}>
      <ReadState read={read}>{() => <p className={typography.dim}>{m.common_loading()}</p>}</ReadState>
    </Dialog>
  );
}
