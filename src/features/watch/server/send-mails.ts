import { contentTypes } from '#server/http/files/send-file.ts';
import type { SendMail } from '#server/mail/mail.ts';
import { writeMailBody } from '#server/mail/mail-layout.ts';
import type { Context } from '#server/runtime/context.ts';
import { retryPause } from '#server/runtime/retry-pause.ts';
import { m } from '#shared/texts/messages.js';
import { deleteMail, postponeMail, takeMail } from './mails.queries.ts';

/** Longer than a mail server may take. After a crash, the mail is sent again when it is over. */
const leaseSeconds = 300;

/**
 * Sends all mails that wait. A mail that the server refuses is tried again later, and does not delay the others. A crash
 * after a mail was sent and before it was deleted sends it once more, with the same Message-ID.
 */
export async function sendMails(
  { db, log, publicUrl }: Pick<Context, 'db' | 'log' | 'publicUrl'>,
  sendMail: SendMail,
): Promise<void> {
  for (;;) {
    const mail = await takeMail.first(db, { leaseSeconds });
    if (!mail) return;
    try {
      await sendMail(writeMail(mail, publicUrl));
      await deleteMail.run(db, { id: mail.id });
    } catch (err) {
      const { id, attempts, company_code: company } = mail;
      const pause = retryPause(attempts);
      if (pause === undefined) await deleteMail.run(db, { id });
      else await postponeMail.run(db, { id, seconds: pause });
      log.error({ err, company, attempts }, 'a mail of the expiry watch could not be sent');
    }
  }
}

type TakenMail = NonNullable<Awaited<ReturnType<typeof takeMail.first>>>;

function writeMail({ content, address, token, ...mail }: TakenMail, publicUrl: string) {
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
