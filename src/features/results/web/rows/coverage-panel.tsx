import type { ComponentProps } from 'react';
import { SandboxNotice } from '#features/devices/web/coverage/sandbox-notice.view.tsx';
import { useFieldColumns } from '#features/devices/web/fields/field-columns.view.tsx';
import type { OwnField } from '#features/devices/web/fields/fields.api.ts';
import { useCheckAgain } from '#features/imports/web/use-check-again.view.ts';
import { listPositions } from '#features/results/positions.shared.ts';
import type { listResults, ResultRow } from '#features/results/results.contract.ts';
import type { Ticket } from '#features/tickets/tickets.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { asSize, pageSizes } from '#web/address/search-params.ts';
import { isMissing } from '#web/client/failure.ts';
import { OverlayOnDemand } from '#web/shell/pages/overlay-on-demand.tsx';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import type { Read } from '#web/ui/feedback/read-state.tsx';
import panels from '#web/ui/layout/panel.module.css';
import { ListPanel } from '#web/ui/table/list-panel.tsx';
import { describeDeleted, isEmpty } from '../deletion/deleted-data.ts';
import { useResultsDownload } from '../results.api.ts';
import { coverageColumns } from './coverage-columns.tsx';
import { type RowFilter, type RowsState, rowFilter, rowsAddress } from './row-filter.view.ts';

const maxSkeletons = 20;

const loadOpenRow = () => import('./open-row.tsx');

type Props = {
  ticketNumber: string | undefined;
  read: Read<Answer<typeof listResults>>;
  state: RowsState;
  onChange: (change: Partial<RowsState>, options?: { replace: boolean }) => void;
  onSelect?: (() => void) | undefined;
  filter: RowFilter;
  /** The own columns of the company. */
  fields: readonly OwnField[];
} & Pick<ComponentProps<typeof ListPanel>, 'search' | 'toolbar' | 'bar'>;

export function CoveragePanel(props: Props) {
  const { ticketNumber, read, state, onChange, onSelect, filter, fields, search, toolbar, bar } = props;
  const columns = useFieldColumns(coverageColumns, fields);
  const { data, error } = read;
  const isGone = isMissing(error) || (data?.ticket ? isEmpty(data.ticket) : false);
  const rows = data?.data ?? [];
  const open = (row: number) => onChange({ row }, { replace: true });
  const { saveResults } = useResultsDownload();
  const checkAgain = useCheckAgain();
  const saveRows = (rows: readonly ResultRow[]) => {
    const positions = listPositions(rows.map(({ position }) => position));
    const choice = { sort: state.sort, order: state.order, positions };
    saveResults(ticketNumber ?? '', 'excel', choice);
  };
  return (
    <div className={panels.beside}>
      <ListPanel
        title={m.data_serial_data()}
        name="results"
        read={read}
        columns={columns}
        notFound={ticketNumber && m.tickets_not_found({ number: ticketNumber })}
        empty={drawEmpty(filter, data?.ticket)}
        skeletons={Math.min(state.size, maxSkeletons)}
        note={<SandboxNotice rows={data?.data} />}
        search={search}
        toolbar={toolbar}
        bar={bar}
        sort={state.sort}
        order={state.order}
        onSort={(by, order) => {
          onChange({ sort: rowsAddress.sort.parse(by), order, page: 1, row: 0 });
        }}
        onSelect={onSelect}
        // A selection of deleted rows would be downloaded as an empty file.
        selectionKey={isGone ? 'gone' : ticketNumber}
        actions={{ download: saveRows, checkAgain }}
        openKey={rows.find((row) => row.position === state.row)?._id}
        onOpen={(row) => open(row.position)}
        sizes={pageSizes}
        limit={state.size}
        onPage={(change, options) => onChange({ ...asSize(change), row: 0 }, options)}
        rangeOfOnePage={false}
      />
      {ticketNumber !== undefined && state.row > 0 && (
        <OverlayOnDemand
          load={loadOpenRow}
          props={{ ticketNumber, position: state.row, rows, fields, onOpen: open, onClose: () => open(0) }}
        />
      )}
    </div>
  );
}

/** While something narrows the rows, an empty answer does not mean that there are none. */
function drawEmpty(filter: RowFilter, ticket: Ticket | null | undefined) {
  const deleted = ticket && isEmpty(ticket) ? describeDeleted(ticket) : null;
  if (deleted !== null) return <EmptyState title={m.data_empty()} hint={deleted} />;
  if (rowFilter.isNarrowed({ ...filter, q: '' })) return <EmptyState title={m.results_no_rows()} />;
  if (filter.q !== '') return <EmptyState title={m.data_no_matches()} />;
  return <EmptyState title={m.data_empty()} hint={m.results_none_hint()} />;
}
