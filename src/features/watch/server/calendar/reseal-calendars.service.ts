import { type Db, inTransaction } from '#server/db/db.ts';
import { findVault } from '#server/vault/vault.ts';
import { findSealedOtherwise, listUnsealed, updateSealed } from './reseal-calendars.queries.ts';

/**
 * Checks that the secret of every calendar can be opened.
 * @throws StartError if no key opens one
 */
export async function requireOpenableCalendars(db: Db): Promise<void> {
  const vault = findVault();
  const secret = await findSealedOtherwise(db, vault.openable);
  if (secret !== undefined) vault.open('calendar', secret);
}

/**
 * Seals with the current key all secrets of calendars that another key sealed.
 * @returns the number of sealed secrets
 * @throws Error if no key opens one
 */
export function resealCalendars(db: Db): Promise<number> {
  const vault = findVault();
  return inTransaction(db, async (tx) => {
    const rows = await listUnsealed(tx, vault.mark);
    for (const { company_code: companyCode, secret } of rows) {
      await updateSealed(tx, companyCode, vault.seal('calendar', vault.open('calendar', secret)));
    }
    return rows.length;
  });
}
