import type { Mail, SendMail } from '#server/mail/mail.ts';
import type { Context } from '#server/runtime/context.ts';
import { retryPause } from '#server/runtime/retry-pause.ts';
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
 * Sends all invoices and reminders that wait, unless they are not due any more (`takeMail`). One that cannot be sent is
 * tried again later. A crash after a mail was sent and before it was deleted sends it once more, with the same Message-ID.
 * @param stopping aborts when the process ends
 */
export async function sendInvoiceMails(
  context: Context,
  sendMail: SendMail,
  stopping: AbortSignal,
): Promise<void> {
  const { db, log } = context;
  while (!stopping.aborted) {
    const waiting = await takeMail.first(db, { leaseSeconds });
    if (!waiting) return;
    const { id, invoice_id: invoice, kind, attempts } = waiting;
    try {
      if (waiting.is_due) {
        await sendMail(await writeMail(context, waiting, stopping));
        await deleteMail.run(db, { id });
      } else await giveUpMail.run(db, { id });
    } catch (err) {
      if (stopping.aborted) {
        await postponeMail.run(db, { id, seconds: 0 });
        return;
      }
      const pause = retryPause(attempts);
      if (pause === undefined) await giveUpMail.run(db, { id });
      else await postponeMail.run(db, { id, seconds: pause });
      log.error({ err, invoice, kind, attempts }, 'a mail about an invoice could not be sent');
    }
  }
}

async function writeMail(
  context: Context,
  { invoice_id, kind, address, name, language: locale, message_id }: WaitingMail,
  stopping: AbortSignal,
): Promise<Mail> {
  const row = await findInvoice.first(context.db, { id: invoice_id });
  if (!row) throw new Error('an invoice is not deleted once it is issued');
  const when = todayOf(context);
  const invoice = await describeInvoice(context.db, row, when);
  const paper: InvoicePaper = { invoice, kind: 'invoice', locale, timeZone: when.timeZone };
  const pdf = await writePdf(context.db, paper, printer, stopping);
  const mail = writeInvoiceMail(kind, paper, pdf, context.publicUrl);
  return { ...mail, to: { name, address }, messageId: `<${message_id}@coverdesk>` };
}
