// The thread that writes one list of invoices, with its own database connection.
import { workerData } from 'node:worker_threads';
import { createThreadClient } from '#server/threads/thread-client.ts';
import type { ThreadFileData } from '#server/threads/thread-file.ts';
import { writeThreadFile } from '#server/threads/thread-file-writer.ts';
import { writeJsonArray } from '#server/threads/write-json-array.ts';
import type { Cell } from '#server/workbook/cell.ts';
import { clockOf } from '#server/workbook/dates.ts';
import { writeDay } from '#server/workbook/day-cell.ts';
import { writeWorkbook } from '#server/workbook/write-workbook.ts';
import { m } from '#shared/texts/messages.js';
import type { Invoice } from '../../invoices.contract.ts';
import { readInvoices } from '../invoices.service.ts';
import type { InvoiceListJob } from './invoice-list-file.ts';

const { readUrl, asked, when, format, locale } = workerData as ThreadFileData<InvoiceListJob>;
const client = createThreadClient(readUrl, 'invoices');
const clock = clockOf(when.timeZone);

const money = (value: number): Cell => ({ value, form: 'money' });
const states: Record<Invoice['status'], () => string> = {
  draft: () => m.invoices_draft({}, { locale }),
  issued: () => m.invoices_issued({}, { locale }),
  paid: () => m.invoices_paid({}, { locale }),
  credited: () => m.invoices_credited({}, { locale }),
};

const columns: { header: string; width: number; cell(invoice: Invoice): Cell }[] = [
  { header: m.invoices_number({}, { locale }), width: 16, cell: ({ number }) => number },
  { header: m.invoices_status({}, { locale }), width: 14, cell: ({ status }) => states[status]() },
  { header: m.statements_company({}, { locale }), width: 14, cell: (invoice) => invoice.company_code },
  { header: m.statements_company_name({}, { locale }), width: 28, cell: (invoice) => invoice.company_name },
  { header: m.statements_month({}, { locale }), width: 12, cell: ({ month }) => month },
  { header: m.invoices_tickets({}, { locale }), width: 12, cell: ({ tickets }) => tickets.length },
  { header: m.statements_subtotal({}, { locale }), width: 18, cell: ({ subtotal }) => money(subtotal) },
  { header: m.invoices_ppn({}, { locale }), width: 16, cell: ({ ppn }) => money(ppn) },
  { header: m.statements_total({}, { locale }), width: 18, cell: ({ total }) => money(total) },
  {
    header: m.invoices_open_amount({}, { locale }),
    width: 18,
    cell: ({ status, total }) => money(status === 'issued' ? total : 0),
  },
  {
    header: m.invoices_issued_at({}, { locale }),
    width: 18,
    cell: ({ issued_at: at }) => at && { value: clock(new Date(at)), form: 'instant' },
  },
  { header: m.invoices_due_at({}, { locale }), width: 14, cell: ({ due_at }) => writeDay(due_at) },
  { header: m.invoices_paid_at({}, { locale }), width: 14, cell: ({ paid_at }) => writeDay(paid_at) },
  {
    header: m.invoices_credit_note({}, { locale }),
    width: 16,
    cell: ({ credit_note }) => credit_note?.number ?? null,
  },
  { header: m.invoices_note({}, { locale }), width: 30, cell: ({ note }) => note },
];

async function* batches(): AsyncGenerator<Invoice[]> {
  await client.connect();
  yield* readInvoices(client, asked, when);
}

async function* listRows() {
  for await (const invoices of batches()) {
    yield invoices.map((invoice) => columns.map(({ cell }) => cell(invoice)));
  }
}

const name = m.invoices_title({}, { locale });
const file =
  format === 'json' ? writeJsonArray(batches()) : writeWorkbook([{ name, columns, rows: listRows() }]);
writeThreadFile(file, () => client.end());
