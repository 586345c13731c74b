import { useQuery } from '@tanstack/react-query';
import type { listUploadedRows } from '#features/imports/imports.contract.ts';
import { useCheckAgain } from '#features/imports/web/use-check-again.view.ts';
import { ticketsKey } from '#features/tickets/web/tickets.api.ts';
import type { Answer } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { asSize } from '#web/address/search-params.ts';
import { readPage } from '#web/client/read.ts';
import { formatInstant, formatNumber } from '#web/format/format.ts';
import { Serial } from '#web/ui/action/serial.tsx';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { ListPanel } from '#web/ui/table/list-panel.tsx';
import type { Column } from '#web/ui/table/table-column.ts';
import { DeleteAll } from './deletion/delete-all.tsx';
import { type ChangeTicketState, sizeAmong, type TicketState } from './rows/row-filter.view.ts';

const pageSizes = [10, 20, 50, 100] as const;

const columns: readonly Column<Answer<typeof listUploadedRows>['data'][number]>[] = [
  { key: 'no', header: m.data_number, kind: 'index', cell: (_, index) => formatNumber(index + 1) },
  { key: 'ticket', header: m.data_ticket_number, kind: 'code', cell: (row) => row.ticket_number },
  {
    key: 'serial',
    header: m.data_serials,
    kind: 'serial',
    pinned: true,
    copy: (row) => row.serial,
    cell: (row) => <Serial value={row.serial} />,
  },
  { key: 'date', header: m.data_upload_date, kind: 'instant', cell: (row) => formatInstant(row.date) },
];

type Props = {
  ticket: string;
  state: Pick<TicketState, 'page' | 'size'>;
  onChange: ChangeTicketState;
  onSelect?: (() => void) | undefined;
};

/** The rows of a ticket as they were uploaded. The screen owns the address. */
export default function UploadedRows({ ticket, state, onChange, onSelect }: Props) {
  const size = sizeAmong(pageSizes, state.size);
  const read = useQuery(
    readPage<typeof listUploadedRows>([...ticketsKey, 'uploaded', ticket], 'GET /data/{ticket}', {
      params: { ticket },
      query: { page: state.page, limit: size },
    }),
  );
  const { data } = read;
  const checkAgain = useCheckAgain();

  return (
    <ListPanel
      title={m.data_uploaded_data()}
      name="uploaded"
      read={read}
      columns={columns}
      empty={<EmptyState title={m.data_uploaded_empty()} />}
      skeletons={Math.min(size, 20)}
      actions={{ checkAgain }}
      onSelect={onSelect}
      // A selection ends with its rows.
      selectionKey={data?.pagination.totalItems === 0 ? 'gone' : ticket}
      toolbar={<DeleteAll ticketNumber={ticket} what="uploaded" disabled={!data?.pagination.totalItems} />}
      sizes={pageSizes}
      limit={size}
      onPage={(change, options) => onChange(asSize(change), options)}
      rangeOfOnePage={false}
    />
  );
}
