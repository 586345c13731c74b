import { type Db, inTransaction } from '#server/db/db.ts';
import { findVault } from '#server/vault/vault.ts';
import { findSealedOtherwise, listUnsealed, updateSealed } from './reseal-second-factors.queries.ts';

/**
 * Checks that the secret of every second factor can be opened.
 * @throws StartError if no key opens one
 */
export async function requireOpenableSecondFactors(db: Db): Promise<void> {
  const vault = findVault();
  const secret = await findSealedOtherwise(db, vault.openable);
  if (secret !== undefined) vault.open('totp', secret);
}

/**
 * Seals with the current key all secrets of second factors that another key sealed.
 * @returns the number of sealed secrets
 * @throws Error if no key opens one
 */
export function resealSecondFactors(db: Db): Promise<number> {
  const vault = findVault();
  return inTransaction(db, async (tx) => {
    const rows = await listUnsealed(tx, vault.mark);
    for (const { user_id: userId, secret } of rows) {
      await updateSealed(tx, userId, vault.seal('totp', vault.open('totp', secret)));
    }
    return rows.length;
  });
}
