import type { ComponentProps, ReactNode } from 'react';
import type { Pagination } from '#shared/paging.ts';
import { type Read, ReadState } from '#web/ui/feedback/read-state.tsx';
import { DataTable } from './data-table.tsx';
import { type SelectionActions, SelectionBar, useSelection } from './table-selection.tsx';

type Props<T> = Omit<
  ComponentProps<typeof DataTable<T>>,
  'rows' | 'rowKey' | 'selection' | 'pagination' | 'loadingRows'
> & {
  read: Read<{ data: T[]; pagination: Pagination }>;
  /** The message if the requested object does not exist. */
  notFound?: string | undefined;
  empty: ReactNode;
  /** How many empty rows are drawn while loading. */
  skeletons?: number;
  /** The ids of rows that no longer exist, which ends their selection. */
  gone?: readonly string[];
  /** Called when rows are selected. */
  onSelect?: (() => void) | undefined;
  actions?: SelectionActions<T>;
};

const rowKey = ({ _id }: { _id: string }) => _id;

/**
 * A page of a list in one of its states: failed, loading, empty or filled. The selection outlives each of them; a `key`
 * ends it where the rows become those of another object.
 */
export function ListTable<T extends { _id: string }>(props: Props<T>) {
  const { read, notFound, empty, skeletons = 10, gone, onSelect, actions = {}, ...table } = props;
  const { data: rows = [], pagination } = read.data ?? {};
  const selection = useSelection(rows, rowKey, pagination?.page ?? 1, { gone, onSelect });
  const serialOf = table.columns.find(({ copy }) => copy)?.copy;
  return (
    <>
      <ReadState read={read} notFound={notFound}>
        {(list) =>
          list?.pagination.totalItems === 0 ? (
            empty
          ) : (
            <DataTable
              {...table}
              rows={rows}
              rowKey={rowKey}
              pagination={pagination}
              selection={serialOf && selection}
              {...(list === undefined && { loadingRows: skeletons })}
            />
          )
        }
      </ReadState>
      {serialOf && selection.all.length > 0 && (
        <SelectionBar selection={selection} serialOf={serialOf} actions={actions} />
      )}
    </>
  );
}
