import { int4, int8, type RowOf, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const storedProxy = { proxy_set_id: int8, position: int4, url: text };
export type StoredProxy = RowOf<typeof storedProxy>;

/** Lists proxies whose password is in clear text, or sealed by another key than the one with this mark. */
export const listUnsealedProxies = statement({
  text: `SELECT proxy_set_id, position, url FROM proxies
     WHERE url ~ '^[a-z0-9]+://[^:@/]*:[^:@/]+@' AND position(':' || $1 IN url) = 0
     LIMIT $2 FOR UPDATE`,
  row: storedProxy,
}).allWith<[mark: string, limit: number]>();

/** Finds a proxy whose sealed password matches none of these patterns. */
export const findProxySealedOtherwise = statement({
  text: `SELECT url FROM proxies WHERE position(':sealed.' IN url) > 0 AND NOT url LIKE ANY ($1::text[]) LIMIT 1`,
  row: { url: text },
}).firstValueWith<[patterns: string[]]>();

const update = statement({
  text: `UPDATE proxies AS p SET url = u.url FROM unnest($1::bigint[], $2::integer[], $3::text[]) AS u(id, position, url)
     WHERE p.proxy_set_id = u.id AND p.position = u.position`,
});

export async function updateProxyUrls(tx: Queryable, proxies: StoredProxy[]): Promise<void> {
  await update.run(tx, [
    proxies.map(({ proxy_set_id }) => proxy_set_id),
    proxies.map(({ position }) => position),
    proxies.map(({ url }) => url),
  ]);
}
