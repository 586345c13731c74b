import { record } from '#features/audit/server/audit.service.ts';
import { type Caller, scopeOf } from '#server/http/caller.ts';
import type { OpenedFile } from '#server/http/files/send-file.ts';
import type { Context } from '#server/runtime/context.ts';
import { ThreadFiles } from '#server/threads/thread-file.ts';
import type { Locale } from '#shared/locale.ts';
import type { InvoiceQuery } from '../../invoices.contract.ts';
import type { Today } from '../describe-invoice.ts';
import type { ScopedInvoiceQuery } from '../invoices.queries.ts';
import { scopeInvoiceQuery, todayOf } from '../invoices.service.ts';

/** The thread's task: one file with a list of invoices. */
export type InvoiceListJob = {
  scopedQuery: ScopedInvoiceQuery;
  when: Today;
  format: 'excel' | 'json';
  locale: Locale;
};

const files = new ThreadFiles<InvoiceListJob>(
  'invoices',
  new URL('./invoice-list-file.thread.ts', import.meta.url),
);

/**
 * Records the download and opens a file with the invoices that match a query.
 * @param signal aborts when the caller disconnects
 * @throws AppError 429 when no slot is free in time
 */
export async function downloadInvoices(
  context: Context,
  caller: Caller,
  { format, ...invoiceQuery }: InvoiceQuery & { format: 'excel' | 'json' },
  locale: Locale,
  signal: AbortSignal,
): Promise<OpenedFile> {
  const when = todayOf(context);
  const scopedQuery = scopeInvoiceQuery(caller, invoiceQuery, when.today);
  const begin = () =>
    record(context.db, {
      action: 'invoice.export',
      companyCode: scopeOf(caller) ?? scopedQuery.companyCode,
      after: { format, ...invoiceQuery },
    });
  const content = await files.open(context, { scopedQuery, when, format, locale }, caller, signal, begin);
  return { content, name: `invoices_${when.today}` };
}
