// The thread that writes one list of invoices, with its own database connection.
import { workerData } from 'node:worker_threads';
import { writeListFile } from '#server/threads/list-file.ts';
import type { ThreadFileData } from '#server/threads/thread-file.ts';
import type { Cell } from '#server/workbook/cell.ts';
import { clockOf } from '#server/workbook/dates.ts';
import { dayCell } from '#server/workbook/day-cell.ts';
import type { ListSheet } from '#server/workbook/list-sheet.ts';
import { m } from '#shared/texts/messages.js';
import type { Invoice } from '../../invoices.contract.ts';
import { readInvoices } from '../invoices.service.ts';
import type { InvoiceListJob } from './invoice-list-file.ts';

const job = workerData as ThreadFileData<InvoiceListJob>;
const { scopedQuery, when, locale } = job;
const clock = clockOf(when.timeZone);

const money = (value: number): Cell => ({ value, form: 'money' });
const states: Record<Invoice['status'], () => string> = {
  draft: () => m.invoices_draft({}, { locale }),
  issued: () => m.invoices_issued({}, { locale }),
  paid: () => m.invoices_paid({}, { locale }),
  credited: () => m.invoices_credited({}, { locale }),
};

/** The time of a sending is that of its request, so it is written only once the mails are sent. */
function writeSending({ status, at }: NonNullable<Invoice['sent']>): Cell {
  if (status === 'queued') return m.invoices_sent_queued({}, { locale });
  if (status === 'failed') return m.invoices_not_sent({}, { locale });
  return { value: clock(new Date(at)), form: 'instant' };
}

const columns: ListSheet<Invoice>['columns'] = [
  { header: m.invoices_number, width: 16, cell: ({ number }) => number },
  { header: m.invoices_status, width: 14, cell: ({ status }) => states[status]() },
  { header: m.statements_company, width: 14, cell: (invoice) => invoice.company_code },
  { header: m.statements_company_name, width: 28, cell: (invoice) => invoice.company_name },
  { header: m.statements_month, width: 12, cell: ({ month }) => month },
  { header: m.invoices_tickets, width: 12, cell: ({ tickets }) => tickets.length },
  { header: m.statements_subtotal, width: 18, cell: ({ subtotal }) => money(subtotal) },
  { header: m.invoices_ppn, width: 16, cell: ({ ppn }) => money(ppn) },
  { header: m.statements_total, width: 18, cell: ({ total }) => money(total) },
  {
    header: m.invoices_open_amount,
    width: 18,
    cell: ({ status, total }) => money(status === 'issued' ? total : 0),
  },
  {
    header: m.invoices_issued_at,
    width: 18,
    cell: ({ issued_at: at }) => at && { value: clock(new Date(at)), form: 'instant' },
  },
  { header: m.invoices_sent, width: 18, cell: ({ sent }) => sent && writeSending(sent) },
  { header: m.invoices_due_at, width: 14, cell: ({ due_at }) => dayCell(due_at) },
  { header: m.invoices_paid_at, width: 14, cell: ({ paid_at }) => dayCell(paid_at) },
  { header: m.invoices_credit_note, width: 16, cell: ({ credit_note }) => credit_note?.number ?? null },
  { header: m.invoices_note, width: 30, cell: ({ note }) => note },
];

writeListFile(job, 'invoices', {
  read: (client) => readInvoices(client, scopedQuery, when),
  describe: (invoice) => invoice,
  sheet: { name: m.invoices_title, columns },
});
