import { record } from '#features/audit/server/audit.service.ts';
import { attachWorkbook } from '#features/results/server/export/export.service.ts';
import { recordName } from '#features/tickets/server/ticket-record.service.ts';
import { findTicketByNumber } from '#features/tickets/server/tickets.service.ts';
import { inTransaction, type Queryable } from '#server/db/db.ts';
import type { Mail, SendMail } from '#server/mail/mail.ts';
import { writeMailBody } from '#server/mail/mail-layout.ts';
import { sendWaitingMails, type WaitingMails } from '#server/mail/send-waiting-mails.ts';
import type { Context } from '#server/runtime/context.ts';
import { writeCompleted, writeWaiting } from './ticket-mail.ts';
import {
  countFailures,
  deleteTicketMail,
  postponeTicketMail,
  takeTicketMail,
} from './ticket-mails.queries.ts';

/** Longer than writing the workbook and a mail server may take. After a crash, the mail is sent again when it is over. */
const leaseSeconds = 600;

type TicketMail = NonNullable<Awaited<ReturnType<typeof takeTicketMail.first>>>;

/**
 * Sends all mails about tickets that wait.
 * @param signal aborts when the process ends
 */
export function sendTicketMails(context: Context, sendMail: SendMail, signal: AbortSignal): Promise<void> {
  const { db, log } = context;
  const remove = (id: number) => deleteTicketMail.run(db, { id });
  const mails: WaitingMails<TicketMail> = {
    leaseSeconds,
    take: () => takeTicketMail.first(db, { leaseSeconds }),
    write: (waiting) => writeMail(context, waiting, signal),
    deleteSent: (waiting, { attachments }) =>
      inTransaction(db, async (tx) => {
        await deleteTicketMail.run(tx, waiting);
        if (attachments) await recordExport(tx, waiting);
      }),
    giveUp: remove,
    postpone: (waiting, seconds) => postponeTicketMail.run(db, { ...waiting, seconds }),
    describe: ({ ticket_number: ticket }) => ({ ticket }),
    failure: 'a mail about a ticket could not be sent',
  };
  return sendWaitingMails(log, sendMail, mails, signal);
}

/** Records that the receiver of a mail got all rows of its ticket as a workbook. */
async function recordExport(tx: Queryable, { email, role, ...ticket }: TicketMail): Promise<void> {
  await record(tx, {
    action: 'results.export',
    objectId: ticket.ticket_number,
    companyCode: ticket.company_code,
    after: {
      format: 'excel',
      // The company reads the entry, and may not see superadmins.
      receiver: role === 'superadmin' ? undefined : email,
      ...recordName(ticket),
      rows: ticket.total,
      complete: true,
    },
  });
}

/** Writes a mail; nothing if it is not due any more. */
async function writeMail(
  context: Context,
  { kind, name, email, message_id, ticket_number, is_due }: TicketMail,
  signal: AbortSignal,
): Promise<Mail | undefined> {
  const ticket = is_due
    ? await findTicketByNumber.first(context.db, { ticketNumber: ticket_number, scope: null })
    : undefined;
  if (!ticket) return;
  const failures = await countFailures.all(context.db, { ticketId: ticket.id });
  const about = { ticket, failures, publicUrl: context.publicUrl };
  const base = { to: { name, address: email }, messageId: `<${message_id}@coverdesk>` };
  if (kind === 'waiting') {
    const [english, indonesian] = [writeWaiting(about, 'en'), writeWaiting(about, 'id')];
    return { ...base, ...joinLanguages(english, indonesian) };
  }
  const workbook = await attachWorkbook(context, ticket, signal);
  const isAttached = workbook !== undefined;
  const [english, indonesian] = [
    writeCompleted(about, isAttached, 'en'),
    writeCompleted(about, isAttached, 'id'),
  ];
  return { ...base, ...joinLanguages(english, indonesian), ...(workbook && { attachments: [workbook] }) };
}

/** Nobody knows which language a user reads. */
const joinLanguages = (
  english: ReturnType<typeof writeWaiting>,
  indonesian: ReturnType<typeof writeWaiting>,
) => ({
  subject: `${english.heading} / ${indonesian.heading}`,
  ...writeMailBody(english, indonesian),
});
