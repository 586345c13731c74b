import { lockActiveCompany } from '#features/clients/server/clients.service.ts';
import type { Queryable } from '#server/db/db.ts';
import type { Context } from '#server/runtime/context.ts';
import { findUserByEmail, lockUser, type UserRow } from '../accounts.queries.ts';
import { addUser } from '../add-user.ts';
import {
  deleteInvitationOf,
  findInvitationOf,
  takeInvitationOf,
} from '../invitations/invitations.queries.ts';
import type { Identity } from './identity.ts';

/**
 * Returns the user of a person whom the provider has identified, locked until the transaction ends. A person with an
 * open invitation accepts it; otherwise a person of an Active company, which the company claim names, becomes its user.
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
    (await lockKnown(tx, email)) ??
    (await admitNew(context, tx, identity, passwordHash)) ??
    // Another sign-in of the same person may have made the user meanwhile.
    (await lockKnown(tx, email))
  );
}

async function lockKnown(tx: Queryable, email: string): Promise<UserRow | undefined> {
  const found = await findUserByEmail(tx, email);
  return found && lockUser(tx, found.id);
}

async function admitNew(
  { now }: Context,
  tx: Queryable,
  { email, firstName, lastName, companyCode }: Identity,
  passwordHash: string,
): Promise<UserRow | undefined> {
  const found = await findInvitationOf(tx, email, now());
  // Before the invitation, as deleting the company locks both, to avoid deadlocks.
  if (found) await lockActiveCompany(tx, found.company_code);
  const invitation = await takeInvitationOf(tx, email, now());
  const rights = { email, password_hash: passwordHash, new_user: false };
  if (invitation) {
    return addUser(tx, 'user.invite-accepted', { ...invitation, ...rights }, 'single sign-on');
  }
  if (companyCode === null || !(await lockActiveCompany(tx, companyCode))) return undefined;
  await deleteInvitationOf(tx, email);
  const made = {
    ...rights,
    first_name: firstName,
    last_name: lastName,
    role: 'user' as const,
    company_code: companyCode,
  };
  return addUser(tx, 'user.register', made, 'single sign-on');
}
