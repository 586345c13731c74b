import type { Db } from '#server/db/db.ts';
import { inTransaction } from '#server/db/db.ts';
import { findVault } from '#server/vault/vault.ts';
import { openProxy, sealProxy } from './proxy-secrets.service.ts';
import { findProxySealedOtherwise, listUnsealedProxies, updateProxyUrls } from './reseal-proxies.queries.ts';

const atOnce = 1000;

/**
 * Checks that every stored proxy password can be opened.
 * @throws StartError when no key opens one
 */
export async function requireOpenableProxies(db: Db): Promise<void> {
  const url = await findProxySealedOtherwise(db, findVault().openable);
  if (url !== undefined) openProxy(url);
}

/**
 * Seals by the present key every stored proxy password that is in clear text or sealed by another key.
 * @returns the number of sealed passwords
 * @throws Error when no key opens one
 */
export async function resealProxies(db: Db): Promise<number> {
  const { mark } = findVault();
  for (let total = 0; ; ) {
    const count = await inTransaction(db, async (tx) => {
      const rows = await listUnsealedProxies(tx, mark, atOnce);
      await updateProxyUrls(
        tx,
        rows.map((row) => ({ ...row, url: sealProxy(openProxy(row.url)) })),
      );
      return rows.length;
    });
    total += count;
    if (count < atOnce) return total;
  }
}
