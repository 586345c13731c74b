import type { ComponentProps, ReactNode } from 'react';
import type { Pagination } from '#shared/paging.ts';
import { m } from '#shared/texts/messages.js';
import { type Read, ReadState } from '#web/ui/feedback/read-state.tsx';
import { type Action, ActionMenu } from '#web/ui/overlay/action-menu.tsx';
import { DataTable } from './data-table.tsx';
import type { Column } from './table-column.ts';

type Props<T> = Omit<ComponentProps<typeof DataTable<T>>, 'rows' | 'rowKey' | 'loadingRows'> & {
  read: Read<{ data: T[]; pagination: Pagination }>;
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

/** Returns the last column of a list: a menu of the actions on each row, which `nameOf` names. */
export function actionsColumn<T>(
  nameOf: (row: NoInfer<T>) => string,
  actionsOf: (row: T) => readonly Action[],
): Column<T> {
  return {
    key: 'actions',
    header: m.clients_actions,
    kind: 'action',
    card: 'menu',
    cell: (row) => (
      <ActionMenu label={m.clients_actions_of({ name: nameOf(row) })} actions={() => actionsOf(row)} />
    ),
  };
}
