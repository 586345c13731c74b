import type { Db } from '#server/db/db.ts';
import { inTransaction } from '#server/db/db.ts';
import { findVault } from '#server/vault/vault.ts';
import { openProxy, sealProxy } from './proxy-secrets.service.ts';
import { findProxySealedOtherwise, listUnsealedProxies, updateProxyUrls } from './reseal-proxies.queries.ts';

const atOnce = 1000;

/**
 * Checks that every stored proxy's password opens.
 * @throws StartError for one that no key opens
 */
export async function requireOpenableProxies(db: Db): Promise<void> {
  const url = await findProxySealedOtherwise(db, findVault().openable);
  if (url !== undefined) openProxy(url);
}

/**
 * Seals every stored proxy's password by the present key: those in clear, and those that another key has sealed.
 * @returns how many
 * @throws Error for one that no key opens
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
