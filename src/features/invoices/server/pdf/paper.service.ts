import { record } from '#features/audit/server/audit.service.ts';
import type { Queryable } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';
import { describeInvoice } from '../describe-invoice.ts';
import { requireInvoice, todayOf } from '../invoices.service.ts';
import type { InvoicePaper } from './invoice-document.ts';

/** @throws AppError 404 for an invoice that the caller may not see, or one without a credit note */
export async function requirePaper(
  context: Context,
  caller: Caller,
  id: number,
  kind: InvoicePaper['kind'],
  locale: Locale,
): Promise<InvoicePaper> {
  const when = todayOf(context);
  const invoice = await describeInvoice(context.db, await requireInvoice(context.db, caller, id), when);
  if (kind === 'credit-note' && invoice.credit_note === null) {
    throw new AppError(404, 'credit_note_not_found', m.server_credit_note_not_found);
  }
  return { invoice, kind, locale, timeZone: when.timeZone };
}

/** Records the download of a paper. */
export async function recordPaper(db: Queryable, paper: InvoicePaper): Promise<void> {
  const { invoice, locale } = paper;
  await record(db, {
    action: 'invoice.export',
    objectId: invoice._id,
    companyCode: invoice.company_code,
    after: { format: 'pdf', number: numberOf(paper), language: locale },
  });
}

/** Returns the name of the file: the number with dashes, and the language, as `INV-2026-0001-en`. */
export function nameFile(paper: InvoicePaper): string {
  const { invoice, locale } = paper;
  return `${numberOf(paper) ?? `draft-${invoice._id}`}-${locale}`.replaceAll('/', '-');
}

/** Returns the number of the invoice or of its credit note; null for a draft. */
function numberOf({ invoice, kind }: InvoicePaper): string | null {
  return (kind === 'credit-note' ? invoice.credit_note?.number : invoice.number) ?? null;
}
