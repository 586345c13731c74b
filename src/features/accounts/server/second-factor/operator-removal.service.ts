import { type Db, inTransaction } from '#server/db/db.ts';
import { findUserByEmail, lockUserForChange } from '../accounts.queries.ts';
import { endSessions } from '../users/users.queries.ts';
import { removeSecondFactor } from './second-factor.service.ts';

/**
 * Removes the second factor of a user who lost it, and ends the user's sessions.
 * @returns the user's email address, and whether there was a second factor; undefined if no user has the address
 */
export async function removeSecondFactorByOperator(
  db: Db,
  email: string,
): Promise<{ email: string; removed: boolean } | undefined> {
  const foundUser = await findUserByEmail.first(db, { email });
  if (!foundUser) return undefined;
  return inTransaction(db, async (tx) => {
    const user = await lockUserForChange.first(tx, { id: foundUser.id });
    if (!user) return undefined;
    if (!user.second_factor) return { email: user.email, removed: false };
    await removeSecondFactor(tx, user, 'operator');
    await endSessions.one(tx, { id: user.id, nowSeconds: Math.floor(Date.now() / 1000) });
    return { email: user.email, removed: true };
  });
}
