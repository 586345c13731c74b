import { record } from '#features/audit/server/audit.service.ts';
import type { Queryable } from '#server/db/db.ts';
import { requirePasswordChange, setPassword, type UserRow } from '../accounts.queries.ts';
import { deleteTokensOf } from '../tokens/tokens.queries.ts';
import { endResetLinks } from './password-resets.queries.ts';

/**
 * Sets a password, ends every session and reset link of the user, and records it. Unless the user changes it, the API
 * tokens end too: whoever else knew the password may have made them.
 * @param user locked by `lockUserForChange`
 * @param how the present time, read after locking, and who sets it. One of the operator has to be changed at the next
 * sign-in.
 */
export async function replacePassword(
  tx: Queryable,
  user: UserRow,
  passwordHash: string,
  { now, by }: { now: Date; by: 'change' | 'reset link' | 'operator' },
): Promise<UserRow> {
  const changed = await setPassword.one(tx, {
    userId: user.id,
    passwordHash,
    nowSeconds: Math.floor(now.getTime() / 1000),
  });
  if (by === 'operator') await requirePasswordChange.run(tx, { userId: user.id });
  await endResetLinks.run(tx, { userId: user.id, at: now });
  if (by !== 'change') await deleteTokensOf.run(tx, { userId: user.id });
  await record(tx, {
    action: 'user.password',
    objectId: user.id,
    companyCode: user.company_code,
    before: by === 'change' ? { new_user: user.new_user ? '1' : '0' } : null,
    after: { new_user: by === 'operator' ? '1' : '0', by },
  });
  return changed;
}
