import { record } from '#features/audit/server/audit.service.ts';
import { type Db, inTransaction } from '#server/db/db.ts';
import {
  findUserByEmail,
  lockUserForChange,
  requirePasswordChange,
  setPassword,
} from '../accounts.queries.ts';
import { endResetLinks } from './password-resets.queries.ts';
import { generatePassword, hashPassword } from './passwords.ts';

/**
 * Gives a user a generated password, which must be changed at the next sign-in. Every session and reset link of the user
 * ends.
 * @returns the user's email address and the password; undefined if no user has the address
 */
export async function resetPasswordByOperator(
  db: Db,
  email: string,
): Promise<{ email: string; password: string; active: boolean } | undefined> {
  const found = await findUserByEmail(db, email);
  if (!found) return undefined;
  const password = generatePassword();
  const passwordHash = await hashPassword(password);
  return inTransaction(db, async (tx) => {
    const user = await lockUserForChange(tx, found.id);
    if (!user) return undefined;
    const now = new Date();
    await setPassword(tx, user.id, passwordHash, Math.floor(now.getTime() / 1000));
    await requirePasswordChange(tx, user.id);
    await endResetLinks(tx, user.id, now);
    await record(tx, {
      action: 'user.password',
      objectId: user.id,
      companyCode: user.company_code,
      after: { new_user: '1', by: 'operator' },
    });
    return { email: user.email, password, active: user.active };
  });
}
