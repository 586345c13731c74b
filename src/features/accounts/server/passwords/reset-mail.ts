import type { Mail } from '#server/mail/mail.ts';
import { m } from '#shared/texts/messages.js';
import { writeLinkMail } from '../link-mail.ts';

/** Writes the mail with a reset link, in both languages. */
export function writeResetMail(user: { name: string; email: string }, link: string): Mail {
  return writeLinkMail({ name: user.name, address: user.email }, link, {
    subject: m.server_mail_reset_subject,
    body: m.server_mail_reset_body,
    ignore: m.server_mail_reset_ignore,
  });
}
