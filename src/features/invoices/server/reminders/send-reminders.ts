import type { Mail, SendMail } from '#server/mail/mail.ts';
import type { Context } from '#server/runtime/context.ts';
import { retryPause } from '#server/runtime/retry-pause.ts';
import { describeInvoice } from '../describe-invoice.ts';
import { findInvoice } from '../invoices.queries.ts';
import { todayOf } from '../invoices.service.ts';
import type { InvoicePaper } from '../pdf/invoice-document.ts';
import { writePdf } from '../pdf/invoice-pdf.ts';
import { writeReminder } from './reminder-mail.ts';
import { deleteReminder, postponeReminder, takeReminder } from './reminders.queries.ts';

/** Longer than writing the PDF and a mail server may take. After a crash, the mail is sent again when it is over. */
const leaseSeconds = 600;
/** Reminders take the places of superadmins for writing PDFs. */
const printer = { id: 0, companyCode: null, superadmin: true };

type Reminder = NonNullable<Awaited<ReturnType<typeof takeReminder.first>>>;

/**
 * Sends all reminders that wait, unless their invoice was paid or credited in the meantime, or their receiver is no
 * administrator of the company any more. One that cannot be sent is tried again later. A crash after a mail was sent and
 * before it was deleted sends it once more, with the same Message-ID.
 * @param stopping aborts when the process ends
 */
export async function sendReminders(
  context: Context,
  sendMail: SendMail,
  stopping: AbortSignal,
): Promise<void> {
  const { db, log } = context;
  while (!stopping.aborted) {
    const reminder = await takeReminder.first(db, { leaseSeconds });
    if (!reminder) return;
    const { id, invoice_id: invoice, attempts } = reminder;
    try {
      const mail = await writeMail(context, reminder, stopping);
      if (mail) await sendMail(mail);
      await deleteReminder.run(db, { id });
    } catch (err) {
      if (stopping.aborted) {
        await postponeReminder.run(db, { id, seconds: 0 });
        return;
      }
      const pause = retryPause(attempts);
      if (pause === undefined) await deleteReminder.run(db, { id });
      else await postponeReminder.run(db, { id, seconds: pause });
      log.error({ err, invoice, attempts }, 'a reminder of an invoice could not be sent');
    }
  }
}

/** Writes the mail of a reminder; nothing if it is not due any more. */
async function writeMail(
  context: Context,
  { invoice_id, address, name, language: locale, message_id, is_due }: Reminder,
  stopping: AbortSignal,
): Promise<Mail | undefined> {
  const row = is_due ? await findInvoice.first(context.db, { id: invoice_id }) : undefined;
  if (!row) return;
  const when = todayOf(context);
  const invoice = await describeInvoice(context.db, row, when);
  const paper: InvoicePaper = { invoice, kind: 'invoice', locale, timeZone: when.timeZone };
  const pdf = await writePdf(context.db, paper, printer, stopping);
  const mail = writeReminder(paper, pdf, context.publicUrl);
  return { ...mail, to: { name, address }, messageId: `<${message_id}@coverdesk>` };
}
