import { resealTokens } from '#features/coverage/server/reseal-tokens.service.ts';
import { resealProxies } from '#features/proxies/server/reseal-proxies.service.ts';
import type { Db } from '#server/db.ts';

/**
 * Seals every stored secret by the present key.
 * @returns how many were in clear or sealed by another
 */
export async function resealSecrets(db: Db): Promise<number> {
  return (await resealProxies(db)) + (await resealTokens(db));
}
