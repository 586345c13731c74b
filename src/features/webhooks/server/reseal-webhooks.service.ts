import { type Db, inTransaction } from '#server/db/db.ts';
import { findVault } from '#server/vault/vault.ts';
import { findSealedOtherwise, listUnsealed, updateSealed } from './reseal-webhooks.queries.ts';

/**
 * Checks that the secret of every webhook can be opened.
 * @throws StartError if no key opens one
 */
export async function requireOpenableWebhooks(db: Db): Promise<void> {
  const vault = findVault();
  const secret = await findSealedOtherwise(db, vault.openable);
  if (secret !== undefined) vault.open('webhook', secret);
}

/**
 * Seals with the current key all secrets of webhooks that another key sealed.
 * @returns the number of sealed secrets
 * @throws Error if no key opens one
 */
export function resealWebhooks(db: Db): Promise<number> {
  const vault = findVault();
  return inTransaction(db, async (tx) => {
    const rows = await listUnsealed(tx, vault.mark);
    for (const { id, secret } of rows) {
      await updateSealed(tx, id, vault.seal('webhook', vault.open('webhook', secret)));
    }
    return rows.length;
  });
}
