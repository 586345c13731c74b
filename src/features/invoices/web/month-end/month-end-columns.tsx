import { Link } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { formatRupiah } from '#web/format/format.ts';
import type { Column } from '#web/ui/table/table-column.ts';
import type { MonthEndLine } from '../../month-end.contract.ts';
import { InvoiceBadge } from '../invoice-columns.tsx';
import { SendStatus } from '../send-status.tsx';

/** A company with one of its invoices of the month; its amounts stand beside the first one. */
type MonthEndRow = MonthEndLine & { _id: string; place: number };

/** Returns a row for each invoice of a company, at least one. */
export function rowsOf(line: MonthEndLine): MonthEndRow[] {
  return Array.from({ length: Math.max(1, line.invoices.length) }, (_, place) => ({
    ...line,
    _id: `${line.company_code} ${place}`,
    place,
  }));
}

const invoiceOf = ({ invoices, place }: MonthEndRow) => invoices[place];

const ofCompany = (write: (line: MonthEndLine) => string) => (row: MonthEndRow) =>
  row.place === 0 ? write(row) : <span data-unknown />;

/** A difference in rupiah with its sign; a dash for none. */
function formatChange({ statement, before }: MonthEndLine): string {
  const change = statement.total - before.total;
  if (change === 0) return '–';
  return `${change > 0 ? '+' : '−'}${formatRupiah(Math.abs(change))}`;
}

/** Returns the characters of the longest amount of some companies. */
export function measureAmounts(lines: MonthEndLine[]): number {
  const amounts = lines.flatMap(({ statement, before, invoices }) => [
    statement.total,
    before.total,
    ...invoices.map(({ total }) => total),
  ]);
  return formatRupiah(Math.max(0, ...amounts)).length;
}

const characterWidth = 7;
const signWidth = 12;
const cellPadding = 14;

/** The columns' widths depend on these. `longest`: the characters of the longest amount. */
type Room = { longest: number; wasIssued: boolean; hasPpn: boolean };

/** The columns of the table. They fit into a window of 1280 pixels for amounts below a billion. */
export function monthEndColumns({ longest, wasIssued, hasPpn }: Room): Column<MonthEndRow>[] {
  const amount = longest * characterWidth + cellPadding;
  return [
    {
      key: 'company',
      card: 'title',
      header: m.statements_company,
      kind: 'text',
      width: wasIssued ? 144 : 212,
      pinned: true,
      cell: ({ company_code, company_name }) => (
        <Link to={paths.clientOf(company_code)}>{`${company_code} (${company_name})`}</Link>
      ),
    },
    {
      key: 'before',
      card: 'below',
      header: m.invoices_total_before,
      kind: 'number',
      width: Math.max(amount, 90), // "sebelumnya" in the Indonesian head
      cell: ofCompany(({ before }) => formatRupiah(before.total)),
    },
    {
      key: 'total',
      card: 'end',
      header: m.statements_total,
      kind: 'number',
      width: amount,
      cell: ofCompany(({ statement }) => formatRupiah(statement.total)),
    },
    {
      key: 'change',
      card: 'text',
      header: m.invoices_change,
      kind: 'number',
      width: amount + signWidth,
      cell: ofCompany(formatChange),
    },
    {
      key: 'open',
      card: 'below',
      header: m.invoices_to_draft,
      kind: 'number',
      width: amount,
      cell: ofCompany(({ open }) => formatRupiah(open)),
    },
    {
      key: 'status',
      card: 'state',
      header: m.invoices_status,
      kind: 'state',
      width: 84,
      cell: (row) => {
        const invoice = invoiceOf(row);
        return invoice ? <InvoiceBadge status={invoice.status} /> : '–';
      },
    },
    {
      key: 'invoice',
      card: 'below',
      header: hasPpn ? m.invoices_total_with_ppn : m.invoices_total_invoice,
      kind: 'number',
      width: amount,
      cell: (row) => {
        const invoice = invoiceOf(row);
        if (!invoice) return <span data-unknown>–</span>;
        return <Link to={paths.invoiceOf(invoice._id)}>{formatRupiah(invoice.total)}</Link>;
      },
    },
    {
      key: 'number',
      card: 'below',
      header: m.invoices_number,
      kind: 'code',
      width: wasIssued ? 108 : 64,
      cell: (row) => invoiceOf(row)?.number ?? <span data-unknown>–</span>,
    },
    {
      key: 'sent',
      card: 'below',
      header: m.invoices_sent,
      kind: 'state',
      width: wasIssued ? 118 : 84,
      cell: (row) => <SendStatus sent={invoiceOf(row)?.sent ?? null} />,
    },
  ];
}
