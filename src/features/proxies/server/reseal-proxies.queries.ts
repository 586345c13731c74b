import { array, int4, int8, type RowOf, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const storedProxy = { proxy_set_id: int8, position: int4, url: text };
export type StoredProxy = RowOf<typeof storedProxy>;

/** Lists proxies whose password is in clear text, or sealed by another key than the one with this mark. */
export const listUnsealedProxies = statement({
  text: `SELECT proxy_set_id, position, url FROM proxies
     WHERE url ~ '^[a-z0-9]+://[^:@/]*:[^:@/]+@' AND position(':' || :mark IN url) = 0
     LIMIT :limit FOR UPDATE`,
  params: { mark: text, limit: int8 },
  row: storedProxy,
});

/** Finds a proxy whose sealed password matches none of these patterns. */
export const findProxySealedOtherwise = statement({
  text: `SELECT url FROM proxies WHERE position(':sealed.' IN url) > 0 AND NOT url LIKE ANY (:patterns::text[]) LIMIT 1`,
  params: { patterns: array(text) },
  row: { url: text },
});

const update = statement({
  text: `UPDATE proxies AS p SET url = u.url FROM unnest(:proxy_set_ids::bigint[], :positions::integer[],
       :urls::text[]) AS u(id, position, url)
     WHERE p.proxy_set_id = u.id AND p.position = u.position`,
  params: { proxy_set_ids: array(int8), positions: array(int4), urls: array(text) },
});

export async function updateProxyUrls(tx: Queryable, proxies: StoredProxy[]): Promise<void> {
  await update.run(tx, {
    proxy_set_ids: proxies.map(({ proxy_set_id }) => proxy_set_id),
    positions: proxies.map(({ position }) => position),
    urls: proxies.map(({ url }) => url),
  });
}
