import { Link } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { formatRupiah } from '#web/format/format.ts';
import type { Column } from '#web/ui/table/table-column.ts';
import type { MonthEndLine } from '../../month-end.contract.ts';
import { InvoiceBadge } from '../invoice-columns.tsx';
import { SendStatus } from '../send-status.tsx';

/** A difference in rupiah with its sign; a dash for none. */
function formatChange({ statement, before }: MonthEndLine): string {
  const change = statement.total - before.total;
  if (change === 0) return '–';
  return `${change > 0 ? '+' : '−'}${formatRupiah(Math.abs(change))}`;
}

export const monthEndColumns: Column<MonthEndLine & { _id: string }>[] = [
  {
    key: 'company',
    card: 'title',
    header: m.statements_company,
    kind: 'text',
    width: 220,
    pinned: true,
    cell: ({ company_code, company_name }) => (
      <Link to={paths.clientOf(company_code)}>{`${company_code} (${company_name})`}</Link>
    ),
  },
  {
    key: 'before',
    card: 'none',
    header: m.invoices_total_before,
    kind: 'number',
    width: 150,
    cell: ({ before }) => formatRupiah(before.total),
  },
  {
    key: 'total',
    card: 'end',
    header: m.statements_total,
    kind: 'number',
    width: 150,
    cell: ({ statement }) => formatRupiah(statement.total),
  },
  { key: 'change', card: 'text', header: m.invoices_change, kind: 'number', width: 150, cell: formatChange },
  {
    key: 'open',
    card: 'none',
    header: m.invoices_to_draft,
    kind: 'number',
    width: 150,
    cell: ({ open }) => formatRupiah(open),
  },
  {
    key: 'status',
    card: 'state',
    header: m.invoices_status,
    kind: 'state',
    cell: ({ invoice }) => (invoice ? <InvoiceBadge status={invoice.status} /> : '–'),
  },
  {
    key: 'invoice',
    card: 'none',
    header: m.invoices_total_invoice,
    kind: 'number',
    width: 150,
    cell: ({ invoice }) => (invoice ? formatRupiah(invoice.total) : '–'),
  },
  {
    key: 'number',
    card: 'more',
    header: m.invoices_number,
    kind: 'code',
    width: 132,
    cell: ({ invoice }) => invoice?.number ?? '–',
  },
  {
    key: 'sent',
    card: 'none',
    header: m.invoices_sent,
    kind: 'state',
    cell: ({ invoice }) => <SendStatus sent={invoice?.sent ?? null} />,
  },
];
