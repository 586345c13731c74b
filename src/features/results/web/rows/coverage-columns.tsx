import { Activation } from '#features/devices/web/coverage/activation.view.tsx';
import { Expiry } from '#features/devices/web/coverage/expiry.view.tsx';
import { translateDetails, translateReason } from '#features/imports/failure-texts.shared.ts';
import type { ResultRow } from '#features/results/results.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatDay, formatInstant, formatNumber } from '#web/format/format.ts';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';
import { numberColumn, serialColumn } from '#web/ui/table/serial-columns.tsx';
import type { Column } from '#web/ui/table/table-column.ts';

/** The ten columns of every table of results on Data Management and in the tracker: all of them in sight at 1280 pixels. */
export const coverageColumns: readonly Column<ResultRow>[] = [
  { ...numberColumn, sort: 'position', cell: (row) => formatNumber(row.position) },
  { ...serialColumn, sort: 'serial_number' },
  {
    key: 'type',
    card: 'text',
    header: m.data_type,
    kind: 'text',
    width: 61,
    sort: 'type',
    cell: (row) => row.type ?? '–',
  },
  {
    key: 'status',
    card: 'state',
    header: m.data_status,
    kind: 'state',
    // "Tidak ditemukan" fits.
    width: 138,
    sort: 'activation_status',
    cell: (row) => <ActivationBadge row={row} />,
  },
  {
    key: 'purchase',
    card: 'none',
    header: m.data_purchase_date,
    kind: 'day',
    cell: (row) => formatDay(row.purchase_date),
  },
  {
    key: 'warranty',
    card: 'more',
    header: m.data_warranty,
    kind: 'text',
    width: 61,
    sort: 'warranty_title',
    cell: (row) => row.warranty_title ?? <span data-unknown>–</span>,
  },
  {
    key: 'start',
    card: 'none',
    header: m.data_coverage_start,
    kind: 'day',
    cell: (row) => formatDay(row.coverage_start_date),
  },
  {
    key: 'end',
    card: 'none',
    header: m.data_coverage_end,
    kind: 'day',
    sort: 'coverage_end_date',
    cell: (row) => formatDay(row.coverage_end_date),
  },
  {
    key: 'expires',
    card: 'end',
    header: m.data_expires_in,
    kind: 'day',
    width: 100,
    cell: (row) => <Expiry text={row.coverage_expires} />,
  },
  {
    key: 'fetched',
    card: 'none',
    header: m.data_fetched_at,
    kind: 'instant',
    cell: (row) => formatInstant(row.timestamp),
  },
];

/** A row's activation status; a failed row says why, a pending one waits. */
export function ActivationBadge({ row }: { row: ResultRow }) {
  const { state, reason, details } = row;
  if (state === 'pending') {
    return <StatusBadge tone="yellow" mark="clock" title={m.data_pending()} text={m.data_pending()} />;
  }
  if (state === 'done') return <Activation status={row.activation_status} />;
  const words = reason === null ? m.data_failed() : translateReason(reason);
  return (
    <StatusBadge
      tone="red"
      mark="cross"
      title={details === null ? words : translateDetails(details)}
      text={words}
    />
  );
}
