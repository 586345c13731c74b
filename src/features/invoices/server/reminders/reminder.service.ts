import { record } from '#features/audit/server/audit.service.ts';
import { inTransaction } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { BackgroundMailer } from '#server/mail/background-mailer.ts';
import type { Context } from '#server/runtime/context.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';
import type { Invoice } from '../../invoices.contract.ts';
import { describeInvoice } from '../describe-invoice.ts';
import { lockKnown, todayOf } from '../invoices.service.ts';
import type { InvoicePdfs } from '../pdf/invoice-pdf.ts';
import { findPaper } from '../pdf/paper.service.ts';
import { writeReminder } from './reminder-mail.ts';
import { listReminded, markReminded } from './reminders.queries.ts';

/** At most one reminder of an invoice in that time. */
export const pauseMs = 86_400_000;

/** Where mails go, and the threads that write their attachments. */
export type ReminderParts = { context: Context; mailer: BackgroundMailer; pdfs: InvoicePdfs };

/**
 * Mails an overdue invoice to the administrators of its company, with the PDF attached.
 * @param gone aborts when the caller disconnects
 * @returns the number of receivers
 * @throws AppError 404; 409 if it is not overdue, was reminded of within a day, or its company has no administrator; 429
 */
export async function remindOf(
  { context, mailer, pdfs }: ReminderParts,
  caller: Caller,
  id: number | null,
  locale: Locale,
  gone: AbortSignal,
): Promise<number> {
  const paper = await findPaper(context, caller, id, 'invoice', locale);
  requireOverdue(paper.invoice, context.now());
  const pdf = await pdfs.write(paper, caller, gone);
  const { invoice, receivers } = await noteReminder(context, id);
  const mail = writeReminder({ ...paper, invoice }, pdf, context.publicUrl);
  mailer.run('a reminder of an invoice', async () => {
    for (const { email, name } of receivers) await mailer.send({ ...mail, to: { name, address: email } });
  });
  return receivers.length;
}

/** Notes the reminder under the invoice's lock, so that two at once send one. */
function noteReminder(context: Context, id: number | null) {
  return inTransaction(context.db, async (tx) => {
    const row = await lockKnown(tx, id);
    const invoice = await describeInvoice(tx, row, todayOf(context));
    const now = context.now();
    requireOverdue(invoice, now);
    const { company_code: companyCode } = row;
    const receivers = await listReminded(tx, companyCode);
    if (receivers.length === 0) {
      throw new AppError(409, 'no_receivers', (locale) => m.server_invoice_no_receivers({}, { locale }));
    }
    await markReminded(tx, row.id, now);
    const after = { number: row.number, receivers: receivers.map(({ email }) => email).join(', ') };
    await record(tx, { action: 'invoice.remind', objectId: row.id, companyCode, after });
    return { invoice, receivers };
  });
}

function requireOverdue({ overdue, reminded_at: last }: Invoice, now: Date): void {
  if (!overdue) {
    throw new AppError(409, 'invoice_not_overdue', (locale) => m.server_invoice_not_overdue({}, { locale }));
  }
  if (last !== null && now.getTime() - Date.parse(last) < pauseMs) {
    throw new AppError(409, 'invoice_reminded', (locale) => m.server_invoice_reminded({}, { locale }));
  }
}
