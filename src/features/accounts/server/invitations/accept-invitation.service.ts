import { lockActiveCompany } from '#features/clients/server/clients.service.ts';
import { inTransaction, type Queryable } from '#server/db/db.ts';
import { type AppError, invalidField } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import { addUser } from '../add-user.ts';
import { emailTaken } from '../email-taken.ts';
import { hashToken } from '../link-token.ts';
import { requireUncommonPassword } from '../passwords/common-passwords.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { findInvitation, findUsableNames, takeInvitation } from './invitations.queries.ts';

/** Returns whether a link is usable; if so, the email address that it was sent to, the company and the inviter. */
export async function verifyInvitation({ db, now }: Pick<Context, 'now'> & { db: Queryable }, token: string) {
  const names = await findUsableNames.first(db, { tokenHash: hashToken(token), at: now() });
  return names ? { valid: true, ...names } : { valid: false, email: null, company_name: null, inviter: null };
}

/**
 * Creates the invited user by a link, which works once.
 * @returns the email address of the user
 * @throws AppError 400 for an unknown, expired, used or withdrawn link, or a common password; 409 when the email address
 * was registered since
 */
export async function acceptInvitation(
  { db, now }: Context,
  { token, password }: { token: string; password: string },
): Promise<string> {
  const tokenHash = hashToken(token);
  // An unusable link costs no password hash.
  const openInvitation = await findInvitation.first(db, { tokenHash, at: now() });
  if (!openInvitation) throw linkInvalid();
  requireUncommonPassword('password', password);
  const password_hash = await hashPassword(password);
  return inTransaction(db, async (tx) => {
    // Before the invitation, as deleting the company locks both, to avoid deadlocks.
    const isActive = await lockActiveCompany(tx, openInvitation.company_code);
    const invitation = await takeInvitation.first(tx, { tokenHash, at: now() });
    if (!isActive || !invitation) throw linkInvalid();
    const newUser = { ...invitation, password_hash, new_user: false };
    const user = await addUser(tx, 'user.invite-accepted', newUser);
    if (!user) throw emailTaken();
    return user.email;
  });
}

function linkInvalid(): AppError {
  return invalidField('token', m.server_invitation_invalid, 'invitation_invalid');
}
