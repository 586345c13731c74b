import type { Queryable } from '#server/db.ts';

export type ProxySetRow = {
  id: number;
  proxy_set: string;
  created_at: Date;
  expires_at: Date;
  urls: string[];
};

/** Stores a set with its proxies, in their order. */
export async function insertProxySet(
  tx: Queryable,
  set: { name: string; createdAt: Date; expiresAt: Date; urls: string[] },
): Promise<void> {
  await tx.query(
    `WITH made AS (
       INSERT INTO proxy_sets (proxy_set, created_at, expires_at) VALUES ($1, $2, $3) RETURNING id)
     INSERT INTO proxies (proxy_set_id, position, url)
     SELECT made.id, position, url FROM made, unnest($4::text[]) WITH ORDINALITY AS u(url, position)`,
    [set.name, set.createdAt, set.expiresAt, set.urls],
  );
}

/** All sets with their proxies, newest first. */
export async function listProxySetRows(db: Queryable): Promise<ProxySetRow[]> {
  const { rows } = await db.query<ProxySetRow>(
    `SELECT s.id, s.proxy_set, s.created_at, s.expires_at,
       ARRAY(SELECT url FROM proxies p WHERE p.proxy_set_id = s.id ORDER BY position) AS urls
     FROM proxy_sets s ORDER BY s.id DESC`,
  );
  return rows;
}

/** Deletes a set with its proxies; whether it was there. */
export async function deleteProxySetRow(tx: Queryable, name: string): Promise<boolean> {
  const { rowCount } = await tx.query('DELETE FROM proxy_sets WHERE proxy_set = $1', [name]);
  return rowCount === 1;
}

/** Tells every worker that the pool of proxies changed, once the transaction commits. */
export async function announceProxies(tx: Queryable): Promise<void> {
  await tx.query("SELECT pg_notify('proxies', '')");
}
