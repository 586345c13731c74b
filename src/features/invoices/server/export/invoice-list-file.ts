import { record } from '#features/audit/server/audit.service.ts';
import { type Caller, scopeOf } from '#server/http/caller.ts';
import type { OpenedFile } from '#server/http/files/send-file.ts';
import type { Context } from '#server/runtime/context.ts';
import { ThreadFiles } from '#server/threads/thread-file.ts';
import type { Locale } from '#shared/locale.ts';
import type { InvoiceQuestion } from '../../invoices.contract.ts';
import type { Today } from '../describe-invoice.ts';
import type { AskedInvoices } from '../invoices.queries.ts';
import { askAs, todayOf } from '../invoices.service.ts';

/** The thread's task: one file with a list of invoices. */
export type InvoiceListJob = {
  asked: AskedInvoices;
  when: Today;
  format: 'excel' | 'json';
  locale: Locale;
};

const files = new ThreadFiles<InvoiceListJob>(
  'invoices',
  new URL('./invoice-list-file.thread.ts', import.meta.url),
);

/**
 * Records the download and opens a file with the invoices that a question asks for.
 * @param gone aborts when the caller disconnects
 * @throws AppError 429 when no slot is free in time
 */
export async function downloadInvoices(
  context: Context,
  caller: Caller,
  { format, ...question }: InvoiceQuestion & { format: 'excel' | 'json' },
  locale: Locale,
  gone: AbortSignal,
): Promise<OpenedFile> {
  const when = todayOf(context);
  const asked = askAs(caller, question, when.today);
  const begin = () =>
    record(context.db, {
      action: 'invoice.export',
      companyCode: scopeOf(caller) ?? asked.companyCode,
      after: { format, ...question },
    });
  const content = await files.open(context, { asked, when, format, locale }, caller, gone, begin);
  return { content, name: `invoices_${when.today}` };
}
