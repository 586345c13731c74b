import { Link } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { formatDay, formatLongMonth, formatNumber, formatRupiah } from '#web/format/format.ts';
import { getLanguage } from '#web/preferences/language.ts';
import type { Column } from '#web/ui/table/table-column.ts';
import { nameLine } from '../name-line.shared.ts';
import type { StatementLine } from '../statements.contract.ts';

export const statementColumns: Column<StatementLine>[] = [
  {
    key: 'ticket',
    card: 'state',
    header: m.statements_ticket,
    kind: 'code',
    pinned: true,
    cell: ({ ticket_number }) => <Link to={paths.ticketOf(ticket_number)}>{ticket_number}</Link>,
  },
  {
    key: 'date',
    card: 'text',
    header: m.statements_date,
    kind: 'day',
    cell: ({ date }) => formatDay(date),
  },
  {
    key: 'file',
    card: 'title',
    header: m.statements_file,
    kind: 'text',
    width: 140,
    cell: (line) => nameLine(line, getLanguage(), formatLongMonth),
  },
  {
    key: 'rows',
    card: 'below',
    header: m.statements_rows,
    kind: 'number',
    cell: ({ billable }) => formatNumber(billable),
  },
  {
    key: 'price',
    card: 'below',
    header: m.statements_price,
    kind: 'number',
    width: 96,
    cell: ({ price }) => formatRupiah(price),
  },
  {
    key: 'subtotal',
    card: 'below',
    header: m.statements_subtotal,
    kind: 'number',
    width: 130,
    cell: ({ subtotal }) => formatRupiah(subtotal),
  },
  {
    key: 'discount',
    card: 'below',
    header: m.statements_discount,
    kind: 'number',
    width: 120,
    cell: ({ discount }) => formatRupiah(discount),
  },
  {
    key: 'total',
    card: 'end',
    header: m.statements_total,
    kind: 'number',
    width: 137,
    cell: ({ total }) => formatRupiah(total),
  },
];
