import type { Mail, SendMail } from '#server/mail/mail.ts';
import { sendWaitingMails, type WaitingMails } from '#server/mail/send-waiting-mails.ts';
import type { Context } from '#server/runtime/context.ts';
import { describeInvoice } from '../describe-invoice.ts';
import { findInvoice } from '../invoices.queries.ts';
import { todayOf } from '../invoices.service.ts';
import type { InvoicePaper } from '../pdf/invoice-document.ts';
import { writePdf } from '../pdf/invoice-pdf.ts';
import { writeInvoiceMail } from './invoice-mail.ts';
import { deleteMail, giveUpMail, postponeMail, takeMail } from './invoice-mails.queries.ts';

/** Longer than writing the PDF and a mail server may take. After a crash, the mail is sent again when it is over. */
const leaseSeconds = 600;
/** Mails take the places of superadmins for writing PDFs. */
const printer = { id: 0, companyCode: null, superadmin: true };

type WaitingMail = NonNullable<Awaited<ReturnType<typeof takeMail.first>>>;

/**
 * Sends all invoices and reminders that wait, unless they are not due any more (`takeMail`).
 * @param signal aborts when the process ends
 */
export function sendInvoiceMails(context: Context, sendMail: SendMail, signal: AbortSignal): Promise<void> {
  const { db, log } = context;
  const mails: WaitingMails<WaitingMail> = {
    leaseSeconds,
    take: () => takeMail.first(db, { leaseSeconds }),
    write: (waiting) => writeMail(context, waiting, signal),
    deleteSent: ({ id }) => deleteMail.run(db, { id }),
    giveUp: (id) => giveUpMail.run(db, { id }),
    postpone: (waiting, seconds) => postponeMail.run(db, { ...waiting, seconds }),
    describe: ({ invoice_id: invoice, kind }) => ({ invoice, kind }),
    failure: 'a mail about an invoice could not be sent',
  };
  return sendWaitingMails(log, sendMail, mails, signal);
}

/** Writes a mail; nothing if it is not due any more. */
async function writeMail(
  context: Context,
  { invoice_id, kind, address, name, language: locale, message_id, is_due }: WaitingMail,
  signal: AbortSignal,
): Promise<Mail | undefined> {
  if (!is_due) return;
  const row = await findInvoice.first(context.db, { id: invoice_id });
  if (!row) throw new Error('an invoice is not deleted once it is issued');
  const when = todayOf(context);
  const invoice = await describeInvoice(context.db, row, when);
  const paper: InvoicePaper = { invoice, kind: 'invoice', locale, timeZone: when.timeZone };
  const pdf = await writePdf(context.db, paper, printer, signal);
  const mail = writeInvoiceMail(kind, paper, pdf, context.publicUrl);
  return { ...mail, to: { name, address }, messageId: `<${message_id}@coverdesk>` };
}
