import { createHash, randomBytes } from 'node:crypto';
import { record } from '#features/audit/server/audit.service.ts';
import { inTransaction } from '#server/db/db.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { SendMail } from '#server/mail/mail.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import { findUserByEmail, lockUserForChange, setPassword } from '../accounts.queries.ts';
import { requireUncommonPassword } from './common-passwords.ts';
import {
  countResetsSince,
  findResetUser,
  insertReset,
  takeReset,
  useUpResets,
} from './password-resets.queries.ts';
import { hashPassword } from './passwords.ts';
import { writeResetMail } from './reset-mail.ts';

const hourMs = 60 * 60 * 1000;
const mailsPerHour = 5;

const hashToken = (token: string) => createHash('sha256').update(token).digest();

/**
 * Mails a user a link that sets a new password, at most 5 an hour. Does nothing for an unknown address. The caller
 * cannot tell the difference.
 */
export async function mailResetLink(context: Context, sendMail: SendMail, email: string): Promise<void> {
  const { db, publicUrl } = context;
  const user = await findUserByEmail(db, email);
  if (!user) return;
  const token = randomBytes(32).toString('base64url');
  const stored = await inTransaction(db, async (tx) => {
    await lockUserForChange(tx, user.id);
    const createdAt = context.now();
    const since = new Date(createdAt.getTime() - hourMs);
    if ((await countResetsSince(tx, user.id, since)) >= mailsPerHour) return false;
    const expiresAt = new Date(createdAt.getTime() + hourMs);
    await insertReset(tx, { tokenHash: hashToken(token), userId: user.id, createdAt, expiresAt, since });
    return true;
  });
  if (stored) await sendMail(writeResetMail(user, `${publicUrl}/reset-password/${token}`));
}

/** Returns whether the token of a link is usable. */
export async function verifyResetToken(context: Context, token: string): Promise<boolean> {
  return (await findResetUser(context.db, hashToken(token), context.now())) !== undefined;
}

/**
 * Sets a new password by a link, which works once. Every session and other link of the user ends.
 * @throws AppError 400 for an unknown, expired or used link, or a common password
 */
export async function resetPassword(context: Context, token: string, newPassword: string): Promise<void> {
  const tokenHash = hashToken(token);
  // An unusable link costs no password hash.
  const userId = await findResetUser(context.db, tokenHash, context.now());
  if (userId === undefined) throw linkInvalid();
  requireUncommonPassword('newPassword', newPassword);
  const passwordHash = await hashPassword(newPassword);
  await inTransaction(context.db, async (tx) => {
    // Always lock the user before the links to avoid deadlocks.
    const user = await lockUserForChange(tx, userId);
    const now = context.now();
    if (!user || !(await takeReset(tx, tokenHash, now))) throw linkInvalid();
    await setPassword(tx, userId, passwordHash, Math.floor(now.getTime() / 1000));
    await useUpResets(tx, userId, now);
    await record(tx, {
      action: 'user.password',
      objectId: userId,
      companyCode: user.company_code,
      after: { new_user: '0', by: 'reset link' },
    });
  });
}

function linkInvalid(): AppError {
  return new AppError(400, 'reset_link_invalid', (locale) => m.server_reset_link_invalid({}, { locale }));
}
