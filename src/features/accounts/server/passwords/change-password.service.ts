import { inTransaction } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { invalidField } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import { lockUserForChange } from '../accounts.queries.ts';
import { issueToken } from '../sign-in/session-token.ts';
import { requireUncommonPassword } from './common-passwords.ts';
import { requireOwnPassword, wrongPassword } from './own-password.service.ts';
import { hashPassword } from './passwords.ts';
import { replacePassword } from './replace-password.ts';

/**
 * Changes the caller's password. Every older session and reset link ends at once, API tokens stay.
 * @returns a fresh token
 * @throws AppError 400 for a wrong current password, or a new one that is the same or common; 429 after too many attempts
 */
export async function changePassword(
  context: Context,
  caller: Caller,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<string> {
  const verified = await requireOwnPassword(context, caller, {
    password: currentPassword,
    field: 'currentPassword',
  });
  if (newPassword === currentPassword) {
    throw invalidField('newPassword', m.server_new_password_same);
  }
  requireUncommonPassword('newPassword', newPassword);
  const passwordHash = await hashPassword(newPassword);
  return inTransaction(context.db, async (tx) => {
    const currentUser = await lockUserForChange.first(tx, { id: caller.id });
    // Another change was faster, so this is no longer the current password.
    if (!currentUser || currentUser.sessions_valid_from !== verified.sessions_valid_from)
      throw wrongPassword('currentPassword');
    const changed = await replacePassword(tx, currentUser, passwordHash, {
      now: context.now(),
      by: 'change',
    });
    return issueToken(context, changed, caller);
  });
}
