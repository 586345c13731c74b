import type { Mail } from '#server/mail/mail.ts';
import { m } from '#shared/texts/messages.js';
import { writeLinkMail } from '../link-mail.ts';

/** Writes the mail with the link of an invitation, in both languages. */
export function writeInvitationMail(
  invited: { first_name: string; last_name: string; email: string },
  link: string,
): Mail {
  const name = `${invited.first_name} ${invited.last_name}`.trim();
  return writeLinkMail({ name, address: invited.email }, link, {
    subject: m.server_mail_invitation_subject,
    body: m.server_mail_invitation_body,
    ignore: m.server_mail_invitation_ignore,
  });
}
