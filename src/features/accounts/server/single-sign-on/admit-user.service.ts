import { lockActiveCompany } from '#features/clients/server/clients.service.ts';
import type { Queryable } from '#server/db/db.ts';
import type { Context } from '#server/runtime/context.ts';
import { findUserByEmail, lockUser, type UserRow } from '../accounts.queries.ts';
import { addUser } from '../add-user.ts';
import {
  deleteInvitationOf,
  listInvitationsOf,
  takeInvitationById,
} from '../invitations/invitations.queries.ts';
import type { Identity } from './identity.ts';

/**
 * Returns the user of a person whom the provider has identified, locked until the transaction ends. A person whose
 * company claim names an Active company becomes its user, as its open invitation says if there is one. A person without
 * a company claim accepts the only open invitation.
 * @param passwordHash the hash of a password that nobody knows, for a new user
 * @returns undefined for other unknown people
 */
export async function admitUser(
  context: Context,
  tx: Queryable,
  identity: Identity,
  passwordHash: string,
): Promise<UserRow | undefined> {
  const { email } = identity;
  return (
    (await lockExistingUser(tx, email)) ??
    (await admitNew(context, tx, identity, passwordHash)) ??
    // Another sign-in of the same person may have created the user in between.
    (await lockExistingUser(tx, email))
  );
}

async function lockExistingUser(tx: Queryable, email: string): Promise<UserRow | undefined> {
  const user = await findUserByEmail.first(tx, { email });
  return user && lockUser.first(tx, { id: user.id });
}

async function admitNew(
  { now }: Context,
  tx: Queryable,
  { email, firstName, lastName, companyCode }: Identity,
  passwordHash: string,
): Promise<UserRow | undefined> {
  const rights = { email, password_hash: passwordHash, new_user: false };
  // The claim decides, also for an Inactive or unknown company: no other company's invitation is accepted.
  if (companyCode !== null && !(await lockActiveCompany(tx, companyCode))) return undefined;
  const invitations = await listInvitationsOf.all(tx, { email, at: now() });
  const [firstInvitation, ...more] = invitations.filter(({ company_code }) =>
    [null, company_code].includes(companyCode),
  );
  // Between the invitations of several companies only a person chooses, by a link.
  if (firstInvitation && more.length === 0) {
    // Before the invitation, as deleting the company locks both, to avoid deadlocks.
    await lockActiveCompany(tx, firstInvitation.company_code);
    const invitation = await takeInvitationById.first(tx, { id: firstInvitation.id, at: now() });
    if (invitation)
      return addUser(tx, 'user.invite-accepted', { ...invitation, ...rights }, 'single sign-on');
  }
  if (companyCode === null) return undefined;
  await deleteInvitationOf.run(tx, { email, companyCode });
  const newUser = {
    ...rights,
    first_name: firstName,
    last_name: lastName,
    role: 'user' as const,
    company_code: companyCode,
  };
  return addUser(tx, 'user.register', newUser, 'single sign-on');
}
