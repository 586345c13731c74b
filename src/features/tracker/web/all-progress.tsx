import { useMemo } from 'react';
import { Link } from 'react-router';
import { addressOfFailed } from '#features/results/web/row-addresses.view.ts';
import type { ListedProgress } from '#features/tickets/tickets.contract.ts';
import { barOf, TicketBadge } from '#features/tickets/web/ticket-badge.view.tsx';
import { m } from '#shared/texts/messages.js';
import { useUser } from '#web/client/session.ts';
import { formatDay, formatNumber } from '#web/format/format.ts';
import typography from '#web/styles/typography.module.css';
import { ProgressBar } from '#web/ui/chart/progress-bar.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { DataTable } from '#web/ui/table/data-table.tsx';
import type { Column } from '#web/ui/table/table-column.ts';
import styles from './all-progress.module.css';
import { TicketButton } from './ticket-button.tsx';

const columnsOf = (onSelect: (ticket: string) => void, superadmin: boolean): Column<ListedProgress>[] => [
  {
    key: 'ticket',
    card: 'title',
    header: m.data_ticket_number,
    kind: 'text',
    width: 170,
    pinned: true,
    cell: (row) => <TicketButton ticket={row} onSelect={onSelect} />,
  },
  {
    key: 'by',
    card: 'none',
    header: m.tickets_uploaded_by,
    kind: 'text',
    cell: ({ uploaded_by: by }) => by?.name ?? '–',
  },
  {
    key: 'company',
    card: 'more',
    header: m.tickets_company_code,
    kind: 'code',
    cell: (row) => <span className={typography.mono}>{row.company_code}</span>,
  },
  {
    key: 'date',
    card: 'text',
    header: m.data_tracker_date,
    kind: 'day',
    cell: (row) => formatDay(row.date),
  },
  {
    key: 'status',
    card: 'state',
    header: m.data_status,
    kind: 'state',
    cell: (row) => <TicketBadge status={row.status} />,
  },
  {
    key: 'progress',
    card: 'end',
    header: m.data_tracker_progress,
    kind: 'progress',
    cell: (row) => (
      <span className={styles.allProgressBar}>
        <ProgressBar label={m.tickets_number({ number: row.ticket_number })} {...barOf(row)} />
        <span>{`${barOf(row).percent}%`}</span>
      </span>
    ),
  },
  {
    key: 'done',
    card: 'none',
    header: m.data_tracker_completed,
    kind: 'number',
    width: 92,
    cell: (row) => formatNumber(row.done),
  },
  {
    key: 'failed',
    card: 'below',
    header: m.data_failed,
    kind: 'number',
    cell: ({ failed, ticket_number: number, data_deleted }) =>
      failed === 0 || data_deleted ? (
        formatNumber(failed)
      ) : (
        <Link to={addressOfFailed(superadmin, number)}>{formatNumber(failed)}</Link>
      ),
  },
  {
    key: 'total',
    card: 'none',
    header: m.data_tracker_total_rows,
    kind: 'number',
    width: 92,
    cell: (row) => formatNumber(row.total),
  },
];

export function AllProgress({
  rows,
  onSelect,
}: {
  rows: ListedProgress[];
  onSelect: (ticket: string) => void;
}) {
  const { superadmin } = useUser();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onSelect` always does the same
  const columns = useMemo(() => columnsOf(onSelect, superadmin), [superadmin]);
  return (
    <Panel title={m.data_tracker_all_tickets()} flush>
      <div className={styles.allProgress}>
        <DataTable
          label={m.data_tracker_all_tickets()}
          columns={columns}
          rows={rows}
          rowKey={(row) => row.ticket_number}
        />
      </div>
    </Panel>
  );
}
