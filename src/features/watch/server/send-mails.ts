import { contentTypes } from '#server/http/files/send-file.ts';
import type { SendMail } from '#server/mail/mail.ts';
import { writeMailBody } from '#server/mail/mail-layout.ts';
import { sendWaitingMails, type WaitingMails } from '#server/mail/send-waiting-mails.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import { deleteMail, postponeMail, takeMail } from './mails.queries.ts';

/** Longer than a mail server may take. After a crash, the mail is sent again when it is over. */
const leaseSeconds = 300;

/**
 * Sends all mails of the expiry watch and of rechecks that wait.
 * @param signal aborts when the process ends
 */
export function sendWatchMails(
  { db, log, publicUrl }: Pick<Context, 'db' | 'log' | 'publicUrl'>,
  sendMail: SendMail,
  signal?: AbortSignal,
): Promise<void> {
  const remove = (id: number) => deleteMail.run(db, { id });
  const mails: WaitingMails<LeasedMail> = {
    leaseSeconds,
    take: () => takeMail.first(db, { leaseSeconds }),
    write: (mail) => writeMail(mail, publicUrl),
    deleteSent: ({ id }) => remove(id),
    giveUp: remove,
    postpone: (waiting, seconds) => postponeMail.run(db, { ...waiting, seconds }),
    describe: ({ company_code: company }) => ({ company }),
    failure: 'a mail of the expiry watch could not be sent',
  };
  return sendWaitingMails(log, sendMail, mails, signal);
}

type LeasedMail = NonNullable<Awaited<ReturnType<typeof takeMail.first>>>;

function writeMail({ content, address, token, ...mail }: LeasedMail, publicUrl: string) {
  const { locale } = content;
  const footer = {
    text: m.server_watch_mail_footer({ company: mail.company_name }, { locale }),
    link: {
      label: m.server_watch_mail_unsubscribe({}, { locale }),
      url: `${publicUrl}/unsubscribe/${token}`,
    },
  };
  return {
    to: { name: '', address },
    subject: content.heading,
    ...writeMailBody({ ...content, footer }),
    messageId: `<${mail.message_id}@coverdesk>`,
    headers: {
      'List-Unsubscribe': `<${publicUrl}/api/unsubscribe/${token}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    attachments:
      mail.file && mail.file_name
        ? [{ filename: mail.file_name, content: mail.file, contentType: contentTypes.excel }]
        : [],
  };
}
