import { type Db, inTransaction } from '#server/db/db.ts';
import { findVault } from '#server/vault/vault.ts';
import { tokenTables } from './kinds/tokens/reseal-tokens.queries.ts';

/**
 * Checks that every stored token can be opened.
 * @throws StartError if no key opens one
 */
export async function requireOpenableTokens(db: Db): Promise<void> {
  const vault = findVault();
  for (const { findSealedOtherwise } of tokenTables) {
    const token = await findSealedOtherwise(db, vault.openable);
    if (token !== undefined) vault.open('token', token);
  }
}

/**
 * Seals all stored vendor tokens with the present key: those in clear text, and those sealed with another key.
 * @returns how many
 * @throws Error if no key opens one
 */
export async function resealTokens(db: Db): Promise<number> {
  const vault = findVault();
  return inTransaction(db, async (tx) => {
    let count = 0;
    for (const { listUnsealed, update } of tokenTables) {
      for (const { account, token } of await listUnsealed(tx, vault.mark)) {
        await update(tx, { account, token: vault.seal('token', vault.open('token', token)) });
        count += 1;
      }
    }
    return count;
  });
}
