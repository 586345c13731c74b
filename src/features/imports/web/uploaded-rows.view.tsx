import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { listUploadedRows } from '#features/imports/imports.contract.ts';
import { TicketGone } from '#features/tickets/web/ticket-gone.view.tsx';
import { ticketsKey } from '#features/tickets/web/tickets.api.ts';
import type { Answer } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { remembered, storedPageSize, text, useUrlState, whole } from '#web/address/search-params.ts';
import { isNotFound } from '#web/client/failure.ts';
import { readPage } from '#web/client/read.ts';
import { formatInstant, formatNumber } from '#web/format/format.ts';
import { Serial } from '#web/ui/action/serial.tsx';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { DataTable } from '#web/ui/table/data-table.tsx';
import type { Column } from '#web/ui/table/table-column.ts';
import { TableFooter } from '#web/ui/table/table-footer.tsx';
import { useCheckAgain } from './use-check-again.view.ts';

const pageSizes = [10, 20, 50, 100] as const;
const address = { ticket: text(), page: whole(1), size: remembered(pageSizes, 10, storedPageSize) };

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
  selector: ReactNode;
  /** A page or a selection puts the ticket into the address. */
  namesTicket: boolean;
  onDelete: () => void;
};

export function UploadedRows({ ticket, selector, namesTicket, onDelete }: Props) {
  const [state, setState] = useUrlState(address);
  const read = useQuery(
    readPage<typeof listUploadedRows>([...ticketsKey, 'uploaded', ticket], 'GET /data/{ticket}', {
      params: { ticket },
      query: { page: state.page, limit: state.size },
    }),
  );
  const { data } = read;
  const checkAgain = useCheckAgain();
  const total = data?.pagination.totalItems ?? 0;
  const changeState: typeof setState = (change, options) =>
    setState({ ...(namesTicket && { ticket }), ...change }, options);

  if (isNotFound(read.error)) return <TicketGone number={ticket} wasShown={data !== undefined} />;
  return (
    <div className="stack">
      <Panel
        title={m.data_uploaded_data()}
        flush
        toolbar={
          <>
            {selector}
            <Button
              variant="default"
              className="danger-outline"
              leftSection={<IconTrash size={16} aria-hidden="true" />}
              disabled={total === 0}
              onClick={onDelete}
            >
              {m.data_delete_all()}
            </Button>
          </>
        }
        footer={
          <TableFooter
            pagination={data?.pagination}
            sizes={pageSizes}
            size={state.size}
            onSize={(size) => changeState({ size, page: 1 })}
            onPage={(page, options) => changeState({ page }, options)}
          />
        }
      >
        <ReadState read={read}>
          {(answer) =>
            answer !== undefined && answer.data.length === 0 ? (
              <EmptyState title={m.data_uploaded_empty()} />
            ) : (
              <DataTable
                label={m.data_uploaded_data()}
                name="uploaded"
                actions={{ checkAgain }}
                columns={columns}
                rows={answer?.data ?? []}
                rowKey={(row) => row._id}
                pagination={answer?.pagination}
                onSelect={() => namesTicket && state.ticket === '' && changeState({}, { replace: true })}
                {...(answer === undefined && { loadingRows: Math.min(state.size, 20) })}
              />
            )
          }
        </ReadState>
      </Panel>
    </div>
  );
}
