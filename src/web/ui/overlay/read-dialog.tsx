import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import typography from '#web/styles/typography.module.css';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { Dialog } from './dialog.tsx';

type Props<T> = {
  title: string;
  query: UseQueryOptions<T>;
  onClose: () => void;
  children: (data: T) => ReactNode;
};

/**
 * A dialog that needs data first. When they have arrived, `children` renders the dialog, with the same title. Data that
 * were read before it was opened do not count, because a form would keep them.
 */
export function ReadDialog<T>({ title, query, onClose, children }: Props<T>) {
  const [openedAt] = useState(Date.now);
  const read = useQuery({ ...query, refetchOnMount: 'always' });
  if (read.data !== undefined && read.dataUpdatedAt >= openedAt) return children(read.data);
  return (
    <Dialog title={title} onClose={onClose}>
      <ReadState read={{ ...read, data: undefined, error: read.isFetching ? null : read.error }}>
        {() => <p className={typography.dim}>{m.common_loading()}</p>}
      </ReadState>
    </Dialog>
  );
}
