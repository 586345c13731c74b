import { windowBefore } from '#server/db/counted-window.ts';
import { inTransaction, type Queryable } from '#server/db/db.ts';
import { type AppError, invalidField } from '#server/http/errors/errors.ts';
import type { Mail, SendMail } from '#server/mail/mail.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import { findUserByEmail, lockUserForChange } from '../accounts.queries.ts';
import { writeLinkMail } from '../link-mail.ts';
import { createLinkToken, hashToken } from '../link-token.ts';
import { requireUncommonPassword } from './common-passwords.ts';
import { countResets, findResetUser, insertReset, takeReset } from './password-resets.queries.ts';
import { hashPassword } from './passwords.ts';
import { replacePassword } from './replace-password.ts';

const hourMs = 60 * 60 * 1000;
const mailsPerHour = 5;

/**
 * Mails an active user a link that sets a new password, at most 5 an hour. Does nothing for an unknown address. The
 * caller cannot tell the difference.
 */
export async function mailResetLink(context: Context, sendMail: SendMail, email: string): Promise<void> {
  const user = await findUserByEmail.first(context.db, { email });
  const mail = user && (await inTransaction(context.db, (tx) => createResetLink(context, tx, user.id)));
  if (mail) await sendMail(mail);
}

/**
 * Stores a new link for a user.
 * @returns the mail that carries it; undefined for a user who is gone or not active, or had 5 mails within an hour
 */
export async function createResetLink(
  { now, publicUrl }: Context,
  tx: Queryable,
  userId: number,
): Promise<Mail | undefined> {
  const user = await lockUserForChange.first(tx, { id: userId });
  if (!user?.active) return undefined;
  const createdAt = now();
  const window = windowBefore(createdAt, hourMs);
  if ((await countResets.one(tx, { userId, ...window })).count >= mailsPerHour) return undefined;
  const { token, tokenHash } = createLinkToken();
  const expiresAt = new Date(createdAt.getTime() + hourMs);
  await insertReset(tx, { tokenHash, userId, createdAt, expiresAt, ...window });
  const to = { name: user.name, address: user.email };
  return writeLinkMail(to, `${publicUrl}/reset-password/${token}`, (locale) => ({
    subject: m.server_mail_reset_subject({}, { locale }),
    body: m.server_mail_reset_body({}, { locale }),
    facts: [
      [m.server_mail_account({}, { locale }), user.email],
      [m.server_mail_link_works({}, { locale }), m.server_mail_reset_lifetime({}, { locale })],
    ],
    button: m.server_mail_reset_link({}, { locale }),
    ignore: m.server_mail_reset_ignore({}, { locale }),
  }));
}

export async function verifyResetToken(context: Context, token: string): Promise<boolean> {
  return (
    (await findResetUser.first(context.db, { tokenHash: hashToken(token), at: context.now() }))?.user_id !==
    undefined
  );
}

/**
 * Sets a new password by a link, which works once. Every session, API token and other link of the user ends.
 * @throws AppError 400 for an unknown, expired or used link, or a common password
 */
export async function resetPassword(context: Context, token: string, newPassword: string): Promise<void> {
  const tokenHash = hashToken(token);
  // An unusable link costs no password hash.
  const userId = (await findResetUser.first(context.db, { tokenHash, at: context.now() }))?.user_id;
  if (userId === undefined) throw linkInvalid();
  requireUncommonPassword('newPassword', newPassword);
  const passwordHash = await hashPassword(newPassword);
  await inTransaction(context.db, async (tx) => {
    // Always lock the user before the links to avoid deadlocks.
    const user = await lockUserForChange.first(tx, { id: userId });
    const now = context.now();
    if (!user?.active || !(await takeReset(tx, tokenHash, now))) throw linkInvalid();
    await replacePassword(tx, user, passwordHash, { now, by: 'reset link' });
  });
}

function linkInvalid(): AppError {
  return invalidField('token', m.server_reset_link_invalid, 'reset_link_invalid');
}
