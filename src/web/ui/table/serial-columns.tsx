import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';
import { Serial } from '#web/ui/action/serial.tsx';
import type { Column } from './table-column.ts';

/** Counts the rows of a page. */
export const numberColumn = {
  key: 'no',
  card: 'box',
  header: m.data_no,
  kind: 'index',
  cell: (_, index) => formatNumber(index + 1),
} satisfies Column<unknown>;

/** The serial of a row, which stays in sight and can be copied. */
export const serialColumn = {
  key: 'serial',
  card: 'title',
  header: m.data_serial_number,
  kind: 'serial',
  pinned: true,
  copy: (row) => row.serial_number,
  cell: (row) => <Serial value={row.serial_number} />,
} satisfies Column<{ serial_number: string }>;
