import { m } from '#shared/texts/messages.js';
import { formatDay, formatMonth, formatRupiah } from '#web/format/format.ts';
import typography from '#web/styles/typography.module.css';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';
import { actionsColumn } from '#web/ui/table/actions-column.tsx';
import type { Column } from '#web/ui/table/table-column.ts';
import type { ListedInvoice } from '../invoices.contract.ts';
import { type InvoiceActions, listInvoiceActions } from './invoice-actions.tsx';
import { SendStatus } from './send-status.tsx';

/** Returns the name of an invoice: its number, or the company and month of a draft. */
export const nameInvoice = ({ number, company_code, month }: ListedInvoice) =>
  number ?? m.invoices_draft_of({ company: company_code, month: formatMonth(month) });

export const titleInvoice = ({ number, company_code, month }: ListedInvoice) =>
  number ?? m.invoices_draft_title({ company: company_code, month: formatMonth(month) });

/** The columns of the list. They fit into a window of 1280 pixels for amounts below a billion. */
export function invoiceColumns(actions: InvoiceActions, superadmin: boolean): Column<ListedInvoice>[] {
  return [
    {
      key: 'number',
      card: 'title',
      header: m.invoices_number,
      kind: 'code',
      width: 116,
      pinned: true,
      cell: ({ number }) =>
        number === null ? m.invoices_draft() : <span className={typography.mono}>{number}</span>,
    },
    {
      key: 'status',
      card: 'state',
      header: m.invoices_status,
      kind: 'state',
      width: 104,
      cell: (invoice) => <InvoiceStatus invoice={invoice} />,
    },
    {
      key: 'company',
      card: 'text',
      header: m.statements_company,
      kind: 'text',
      width: 120,
      cell: ({ company_code, company_name }) => `${company_code} (${company_name})`,
    },
    {
      key: 'month',
      card: 'below',
      header: m.statements_month,
      kind: 'day',
      width: 76,
      cell: ({ month }) => formatMonth(month),
    },
    {
      key: 'total',
      card: 'end',
      header: m.statements_total,
      kind: 'number',
      width: 114,
      cell: ({ total }) => formatRupiah(total),
    },
    {
      key: 'issued',
      card: 'none',
      header: m.invoices_issued_at,
      kind: 'day',
      cell: ({ issued_on }) => (issued_on === null ? '–' : formatDay(issued_on)),
    },
    {
      key: 'sent',
      card: 'below',
      header: m.invoices_sent,
      kind: 'state',
      cell: ({ sent }) => <SendStatus sent={sent} />,
    },
    {
      key: 'due',
      card: 'none',
      header: m.invoices_due_at,
      kind: 'day',
      cell: ({ due_at }) => (due_at === null ? '–' : formatDay(due_at)),
    },
    {
      key: 'paid',
      card: 'none',
      header: m.invoices_paid_at,
      kind: 'day',
      cell: ({ paid_at }) => (paid_at === null ? '–' : formatDay(paid_at)),
    },
    actionsColumn(nameInvoice, (invoice) => listInvoiceActions(invoice, actions, superadmin)),
  ];
}

const looks = {
  draft: { tone: 'grey', mark: 'minus', name: m.invoices_draft },
  issued: { tone: 'blue', mark: 'clock', name: m.invoices_issued },
  paid: { tone: 'green', mark: 'check', name: m.invoices_paid },
  credited: { tone: 'grey', mark: 'cross', name: m.invoices_credited },
} as const;

export const listStatuses = () =>
  Object.entries(looks).map(([value, { name }]) => ({
    value: value as ListedInvoice['status'],
    label: name(),
  }));

/** The status of an invoice; an issued one whose due day is over is "Overdue". */
export function InvoiceStatus({ invoice: { status, overdue } }: { invoice: ListedInvoice }) {
  if (overdue) return <StatusBadge tone="red" mark="clock" text={m.invoices_overdue()} />;
  return <InvoiceBadge status={status} />;
}

export function InvoiceBadge({ status }: Pick<ListedInvoice, 'status'>) {
  const { tone, mark, name } = looks[status];
  return <StatusBadge tone={tone} mark={mark} text={name()} />;
}
