import { array, int8, notNull, type RowOf, text, timestamptz } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

export const insertProxySet = statement({
  text: `WITH made AS (
       INSERT INTO proxy_sets (proxy_set, created_at, expires_at) VALUES (:name, :createdAt, :expiresAt) RETURNING id)
     INSERT INTO proxies (proxy_set_id, position, url)
     SELECT made.id, position, url FROM made, unnest(:urls::text[]) WITH ORDINALITY AS u(url, position)`,
  params: { name: text, createdAt: timestamptz, expiresAt: timestamptz, urls: array(text) },
});

const proxySetRow = {
  id: int8,
  proxy_set: text,
  created_at: timestamptz,
  expires_at: timestamptz,
  urls: array(text),
};
export type ProxySetRow = RowOf<typeof proxySetRow>;

export const listProxySetRows = statement({
  text: `SELECT s.id, s.proxy_set, s.created_at, s.expires_at,
       ARRAY(SELECT url FROM proxies p WHERE p.proxy_set_id = s.id ORDER BY position) AS urls
     FROM proxy_sets s ORDER BY s.id DESC`,
  row: proxySetRow,
});

/** Deletes a set with its proxies; undefined when it does not exist. */
export const deleteProxySetRow = statement({
  text: `DELETE FROM proxy_sets WHERE proxy_set = :name
     RETURNING expires_at, (SELECT count(*) FROM proxies WHERE proxy_set_id = proxy_sets.id) AS proxies_count`,
  params: { name: text },
  row: { expires_at: timestamptz, proxies_count: notNull(int8) },
});
