import { requireOpenableProxies, resealProxies } from '#features/proxies/server/reseal-proxies.service.ts';
import { requireOpenableTokens, resealTokens } from '#features/sources/server/reseal-tokens.service.ts';
import type { Db } from '#server/db/db.ts';

/**
 * Checks that every stored secret opens by SECRETS_KEY or SECRETS_KEY_OLD.
 * @throws StartError for one that no key opens
 */
export async function requireOpenableSecrets(db: Db): Promise<void> {
  await requireOpenableProxies(db);
  await requireOpenableTokens(db);
}

/**
 * Seals every stored secret by the present key.
 * @returns how many were in clear or sealed by another
 */
export async function resealSecrets(db: Db): Promise<number> {
  return (await resealProxies(db)) + (await resealTokens(db));
}
