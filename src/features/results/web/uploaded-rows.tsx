import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import {
  deleteUploadedRows,
  importsKey,
  type UploadedRow,
  uploadedRowsQuery,
} from '#features/imports/web/imports.api.ts';
import { ticketsKey } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { formatInstant, formatNumber } from '#web/format.ts';
import { usePageInRange } from '#web/page-in-range.ts';
import { pageSize, useUrlState, whole } from '#web/search-params.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { Serial } from '#web/ui/serial.tsx';
import { TableFooter } from '#web/ui/table-footer.tsx';
import { toast } from '#web/ui/toast.tsx';
import { resultsKey } from './results.api.ts';

const pageSizes = [10, 20, 50, 100] as const;
const address = { page: whole(1), size: pageSize(pageSizes, 10) };

const columns: readonly Column<UploadedRow>[] = [
  { key: 'no', header: m.data_number, width: 72, align: 'right', cell: (_, index) => index + 1 },
  { key: 'ticket', header: m.data_ticket_number, width: 140, cell: (row) => row.ticket_number },
  { key: 'serial', header: m.data_serials, width: 220, cell: (row) => <Serial value={row.serial} /> },
  { key: 'date', header: m.data_upload_date, width: 200, cell: (row) => formatInstant(row.date) },
];

type Props = {
  ticket: string;
  /** The ticket is Pending or Processing: deleting its rows cancels it. */
  running: boolean;
  selector: ReactNode;
};

/** The uploaded rows of one ticket, page by page, and their deletion. */
export function UploadedRows({ ticket, running, selector }: Props) {
  const [state, setState] = useUrlState(address);
  const [deleting, setDeleting] = useState(false);
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(uploadedRowsQuery(ticket, state.page, state.size));
  const total = data?.pagination.totalItems ?? 0;
  usePageInRange(data?.pagination, (page) => setState({ page }, { replace: true }));

  const remove = async () => {
    await deleteUploadedRows(ticket);
    toast.success(m.data_deleted());
    for (const queryKey of [importsKey, ticketsKey, resultsKey]) queries.invalidateQueries({ queryKey });
  };
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
              onClick={() => setDeleting(true)}
            >
              {m.data_delete_all()}
            </Button>
          </>
        }
        footer={
          total > 0 && (
            <TableFooter
              pagination={data?.pagination}
              sizes={pageSizes}
              pageSize={state.size}
              onPageSize={(size) => setState({ size, page: 1 })}
              onPage={(page) => setState({ page })}
            />
          )
        }
      >
        {error ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : data !== undefined && data.data.length === 0 ? (
          <EmptyState title={m.data_uploaded_empty()} />
        ) : (
          <DataTable
            label={m.data_uploaded_data()}
            columns={columns}
            rows={data?.data ?? []}
            rowKey={(row) => row._id}
            offset={(state.page - 1) * state.size}
            {...(data === undefined && { loadingRows: Math.min(state.size, 20) })}
          />
        )}
      </Panel>
      {deleting && (
        <ConfirmDialog
          title={m.data_delete_title()}
          text={m.data_delete_text()}
          counts={[
            m.data_delete_counts({ count: total, number: formatNumber(total), ticket }),
            running && m.data_delete_cancels(),
          ]
            .filter(Boolean)
            .join(' ')}
          confirmLabel={m.data_delete_all()}
          busyLabel={m.common_deleting()}
          fallback={m.data_delete_failed()}
          onConfirm={remove}
          onClose={() => setDeleting(false)}
        />
      )}
    </div>
  );
}
