import type { ComponentProps, ReactNode } from 'react';
import type { Pagination } from '#shared/paging.ts';
import { type Read, ReadState } from '#web/ui/feedback/read-state.tsx';
import { DataTable } from './data-table.tsx';

type Props<T> = Omit<ComponentProps<typeof DataTable<T>>, 'rows' | 'rowKey' | 'loadingRows'> & {
  read: Read<{ data: T[]; pagination: Pagination }>;
  /** Shown in place of the table if the list has no entry. */
  empty: ReactNode;
};

const skeletons = 10;

/** A page of a list in one of its states: failed, loading, empty or filled. */
export function ListTable<T extends { _id: string }>({ read, empty, ...table }: Props<T>) {
  return (
    <ReadState read={read}>
      {(list) =>
        list?.pagination.totalItems === 0 ? (
          empty
        ) : (
          <DataTable
            {...table}
            rows={list?.data ?? []}
            rowKey={({ _id }) => _id}
            {...(list === undefined && { loadingRows: skeletons })}
          />
        )
      }
    </ReadState>
  );
}
