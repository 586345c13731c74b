import type { ResultRow } from '#features/results/results.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatDay, formatInstant } from '#web/format/format.ts';
import { Serial } from '#web/ui/action/serial.tsx';
import type { Column } from '#web/ui/table/table-column.ts';
import { ActivationBadge, nameOutcome } from './activation-badge.tsx';
import { Expiry, endsSoon, nameExpiry } from './expiry.tsx';

/** The ten columns of every table of results on Data Management and in the tracker: all of them in sight at 1280 pixels. */
export const coverageColumns: readonly Column<ResultRow>[] = [
  {
    key: 'no',
    card: 'box',
    header: m.data_no,
    width: 52,
    align: 'right',
    words: { of: ({ position }) => String(position), as: 'text' },
    sort: 'position',
    cell: (row) => row.position,
  },
  {
    key: 'serial',
    card: 'title',
    header: m.data_serial_number,
    width: 154,
    pinned: true,
    words: { of: ({ serial_number: serial }) => serial, as: 'serial', last: true },
    sort: 'serial_number',
    copy: (row) => row.serial_number,
    cell: (row) => <Serial value={row.serial_number} />,
  },
  {
    key: 'type',
    givesWay: true,
    card: 'text',
    header: m.data_type,
    width: 66,
    clip: true,
    sort: 'type',
    cell: (row) => row.type ?? '–',
  },
  {
    key: 'status',
    card: 'state',
    header: m.data_status,
    width: 116,
    words: { of: nameOutcome, as: 'badge', spill: ({ state }) => state === 'failed' },
    sort: 'activation_status',
    cell: (row) => <ActivationBadge row={row} />,
  },
  {
    key: 'purchase',
    givesWay: true,
    card: 'none',
    header: m.data_purchase_date,
    width: 94,
    cell: (row) => formatDay(row.purchase_date),
  },
  {
    key: 'warranty',
    givesWay: true,
    card: 'more',
    header: m.data_warranty,
    width: 65,
    clip: true,
    sort: 'warranty_title',
    cell: (row) => row.warranty_title ?? <span className="unknown">–</span>,
  },
  {
    key: 'start',
    givesWay: true,
    card: 'none',
    header: m.data_coverage_start,
    width: 94,
    cell: (row) => formatDay(row.coverage_start_date),
  },
  {
    key: 'end',
    givesWay: true,
    card: 'none',
    header: m.data_coverage_end,
    width: 94,
    sort: 'coverage_end_date',
    cell: (row) => formatDay(row.coverage_end_date),
  },
  {
    key: 'expires',
    card: 'end',
    header: m.data_expires_in,
    width: 81,
    words: { of: nameExpiry, as: (row) => (endsSoon(row) ? 'marked' : 'text') },
    cell: (row) => <Expiry text={row.coverage_expires} />,
  },
  {
    key: 'fetched',
    card: 'none',
    header: m.data_fetched_at,
    width: 110,
    clip: 'word',
    words: { of: ({ timestamp }) => formatInstant(timestamp), as: 'text', last: true },
    cell: (row) => formatInstant(row.timestamp),
  },
];
