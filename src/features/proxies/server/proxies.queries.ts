import { int8, notNull, type RowOf, text, textArray, timestamptz } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

/** The channel of notices that proxies have changed. */
export const proxiesChannel = 'proxies';

const insertSet = statement({
  text: `WITH made AS (
       INSERT INTO proxy_sets (proxy_set, created_at, expires_at) VALUES ($1, $2, $3) RETURNING id)
     INSERT INTO proxies (proxy_set_id, position, url)
     SELECT made.id, position, url FROM made, unnest($4::text[]) WITH ORDINALITY AS u(url, position)`,
});

export async function insertProxySet(
  tx: Queryable,
  set: { name: string; createdAt: Date; expiresAt: Date; urls: string[] },
): Promise<void> {
  await insertSet.run(tx, [set.name, set.createdAt, set.expiresAt, set.urls]);
}

const proxySetRow = {
  id: int8,
  proxy_set: text,
  created_at: timestamptz,
  expires_at: timestamptz,
  urls: textArray,
};
export type ProxySetRow = RowOf<typeof proxySetRow>;

export const listProxySetRows = statement({
  text: `SELECT s.id, s.proxy_set, s.created_at, s.expires_at,
       ARRAY(SELECT url FROM proxies p WHERE p.proxy_set_id = s.id ORDER BY position) AS urls
     FROM proxy_sets s ORDER BY s.id DESC`,
  row: proxySetRow,
}).allWith();

/** Deletes a set with its proxies; undefined when it does not exist. */
export const deleteProxySetRow = statement({
  text: `DELETE FROM proxy_sets WHERE proxy_set = $1
     RETURNING expires_at, (SELECT count(*) FROM proxies WHERE proxy_set_id = proxy_sets.id) AS proxies_count`,
  row: { expires_at: timestamptz, proxies_count: notNull(int8) },
}).firstWith<[name: string]>();
