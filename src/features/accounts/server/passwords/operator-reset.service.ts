import { type Db, inTransaction } from '#server/db/db.ts';
import { findUserByEmail, lockUserForChange } from '../accounts.queries.ts';
import { generatePassword, hashPassword } from './passwords.ts';
import { replacePassword } from './replace-password.ts';

/**
 * Gives a user a generated password, which must be changed at the next sign-in. Every session, API token and reset link
 * of the user ends.
 * @returns the user's email address and the password; undefined if no user has the address
 */
export async function resetPasswordByOperator(
  db: Db,
  email: string,
): Promise<{ email: string; password: string; active: boolean } | undefined> {
  const foundUser = await findUserByEmail.first(db, { email });
  if (!foundUser) return undefined;
  const password = generatePassword();
  const passwordHash = await hashPassword(password);
  return inTransaction(db, async (tx) => {
    const user = await lockUserForChange.first(tx, { id: foundUser.id });
    if (!user) return undefined;
    await replacePassword(tx, user, passwordHash, { now: new Date(), by: 'operator' });
    return { email: user.email, password, active: user.active };
  });
}
