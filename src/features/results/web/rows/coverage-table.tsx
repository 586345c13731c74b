import type { ResultRow } from '#features/results/results.contract.ts';
import type { Pagination } from '#shared/paging.ts';
import { m } from '#shared/texts/messages.js';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { type Read, ReadState } from '#web/ui/feedback/read-state.tsx';
import { DataTable } from '#web/ui/table/data-table.tsx';
import type { Sorting } from '#web/ui/table/table-head.tsx';
import { coverageColumns } from './coverage-columns.tsx';
import { isNarrowed, type RowFilter } from './row-filter.ts';

type Answer = { data: ResultRow[]; pagination: Pagination };
type Props = Required<Sorting> & {
  read: Read<Answer>;
  ticketNumber: string | undefined;
  pageSize: number;
  filter: RowFilter;
  onSelect: (() => void) | undefined;
  /** Downloads the rows that are selected. */
  onDownload: (rows: readonly ResultRow[]) => void;
  openKey: string | undefined;
  onOpen: (row: ResultRow) => void;
};

const mostSkeletons = 20;

/** One page of results in one of its states: failed, loading, empty or filled. */
export function CoverageTable({ read, ticketNumber, ...props }: Props) {
  const notFound = ticketNumber === undefined ? undefined : m.tickets_not_found({ number: ticketNumber });
  return (
    <ReadState read={read} notFound={notFound}>
      {(answer) => drawRows(answer, props)}
    </ReadState>
  );
}

function drawRows(
  answer: Answer | undefined,
  {
    pageSize,
    filter,
    sort,
    order,
    onSort,
    onSelect,
    onDownload,
    openKey,
    onOpen,
  }: Omit<Props, 'read' | 'ticketNumber'>,
) {
  if (answer !== undefined && answer.data.length === 0) {
    // While something narrows the rows, an empty answer does not mean that there are none.
    if (isNarrowed({ ...filter, q: '' })) return <EmptyState title={m.results_no_rows()} />;
    if (filter.q !== '') return <EmptyState title={m.data_no_matches()} />;
    return <EmptyState title={m.data_empty()} hint={m.data_empty_hint()} />;
  }
  return (
    <DataTable
      label={m.data_serial_data()}
      name="results"
      columns={coverageColumns}
      rows={answer?.data ?? []}
      rowKey={(row) => row._id}
      pagination={answer?.pagination}
      sort={sort}
      order={order}
      onSort={onSort}
      onSelect={onSelect}
      onDownload={onDownload}
      openKey={openKey}
      onOpen={onOpen}
      {...(answer === undefined && { loadingRows: Math.min(pageSize, mostSkeletons) })}
    />
  );
}
