import { record } from '#features/audit/server/audit.service.ts';
import type { Queryable } from '#server/db/db.ts';
import { insertUser, type NewUser, type UserRow } from './accounts.queries.ts';

/** Inserts and records a user by an invitation or a single sign-on; undefined when the email address is taken. */
export async function addUser(
  tx: Queryable,
  action: 'user.invite-accepted' | 'user.register',
  newUser: NewUser,
  by?: 'single sign-on',
): Promise<UserRow | undefined> {
  const user = await insertUser.first(tx, newUser);
  if (!user) return undefined;
  const { id: objectId, email, first_name, last_name, role, company_code: companyCode } = user;
  const after = { email, first_name, last_name, role, ...(by && { by }) };
  await record(tx, { action, objectId, companyCode, after });
  return user;
}
