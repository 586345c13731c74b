import { type Db, inTransaction, type Queryable } from '#server/db/db.ts';
import { findVault } from '#server/vault/vault.ts';
import { openProxy, sealProxy } from './proxy-secrets.service.ts';
import { findProxySealedOtherwise, listUnsealedProxies, updateProxyUrls } from './reseal-proxies.queries.ts';

const batchSize = 1000;

/**
 * Checks that every stored proxy password can be opened.
 * @throws StartError if no key opens one of them
 */
export async function requireOpenableProxies(db: Queryable): Promise<void> {
  const url = (await findProxySealedOtherwise.first(db, { patterns: findVault().openable }))?.url;
  if (url !== undefined) openProxy(url);
}

/**
 * Seals with the current key every stored proxy password that is in clear text or sealed with another key.
 * @returns the number of sealed passwords
 * @throws Error if no key opens one of them
 */
export async function resealProxies(db: Db): Promise<number> {
  const { mark } = findVault();
  for (let total = 0; ; ) {
    const count = await inTransaction(db, async (tx) => {
      const rows = await listUnsealedProxies.all(tx, { mark, limit: batchSize });
      await updateProxyUrls(
        tx,
        rows.map((row) => ({ ...row, url: sealProxy(openProxy(row.url)) })),
      );
      return rows.length;
    });
    total += count;
    if (count < batchSize) return total;
  }
}
