import type { Queryable } from '#server/db.ts';

/** What all workers know of a proxy. */
export type ProxyStateRow = {
  proxy: string;
  state: 'unchecked' | 'good' | 'resting';
  rest_until: Date | null;
  rest_step: number;
  worker: string | null;
};

/** Changes whenever a set is uploaded, deleted or expires. */
export async function readPoolVersion(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ version: string }>(
    `SELECT concat_ws(',', count(*), max(id), min(id), sum(id)) AS version FROM proxy_sets WHERE expires_at > now()`,
  );
  return rows[0]?.version ?? '';
}

/** Every proxy of every Active set, each once. */
export async function listActiveProxies(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ url: string }>(
    `SELECT DISTINCT p.url FROM proxies AS p JOIN proxy_sets AS s ON s.id = p.proxy_set_id
     WHERE s.expires_at > now()`,
  );
  return rows.map(({ url }) => url);
}

/** A random proxy of an Active set; if there is one, a proxy that does not rest and is not leased. */
export async function findIdleProxy(db: Queryable): Promise<string | undefined> {
  const { rows } = await db.query<{ url: string }>(
    `SELECT p.url FROM proxies AS p JOIN proxy_sets AS s ON s.id = p.proxy_set_id AND s.expires_at > now()
     LEFT JOIN proxy_states AS t ON t.proxy = p.url
     ORDER BY (t.state = 'resting' AND t.rest_until > now()) IS TRUE, t.worker IS NOT NULL, random() LIMIT 1`,
  );
  return rows[0]?.url;
}

export async function listProxyStates(db: Queryable): Promise<ProxyStateRow[]> {
  const { rows } = await db.query<ProxyStateRow>(
    `SELECT proxy, CASE WHEN state = 'resting' AND rest_until <= now() THEN 'unchecked' ELSE state END AS state,
       rest_until, rest_step, worker FROM proxy_states`,
  );
  return rows;
}

/** How many workers want proxies, this one among them. */
export async function countWantingWorkers(db: Queryable, sources: string[], me: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'SELECT count(DISTINCT worker) AS count FROM source_shares WHERE source = ANY($1) AND wants AND worker <> $2',
    [sources, me],
  );
  return (rows[0]?.count ?? 0) + 1;
}

export async function leaseProxies(tx: Queryable, worker: string, proxies: string[]): Promise<void> {
  await tx.query(
    `INSERT INTO proxy_states (proxy, worker) SELECT url, $2 FROM unnest($1::text[]) AS u(url)
     ON CONFLICT (proxy) DO UPDATE SET worker = excluded.worker, beyond = false, rest_until = NULL,
       state = CASE WHEN proxy_states.state = 'resting' THEN 'unchecked' ELSE proxy_states.state END`,
    [proxies, worker],
  );
}

export async function releaseProxies(tx: Queryable, worker: string, proxies: string[]): Promise<void> {
  await tx.query('UPDATE proxy_states SET worker = NULL WHERE proxy = ANY($1) AND worker = $2', [
    proxies,
    worker,
  ]);
}

/** Deletes the states of proxies that are in no Active set any more. */
export async function deleteProxyStates(tx: Queryable, proxies: string[]): Promise<void> {
  await tx.query('DELETE FROM proxy_states WHERE proxy = ANY($1)', [proxies]);
}

/** Marks proxies that have answered. */
export async function markGood(db: Queryable, proxies: string[]): Promise<void> {
  await db.query("UPDATE proxy_states SET state = 'good', rest_step = 0 WHERE proxy = ANY($1)", [proxies]);
}

/** Has a proxy rest that failed a call, and ends its lease. */
export async function restProxy(
  db: Queryable,
  proxy: string,
  rest: { ms: number; step: number; targetUnreachable: boolean },
): Promise<void> {
  await db.query(
    `UPDATE proxy_states SET state = 'resting', rest_until = now() + $2 * interval '1 millisecond', rest_step = $3,
       beyond = $4, worker = NULL
     WHERE proxy = $1`,
    [proxy, rest.ms, rest.step, rest.targetUnreachable],
  );
}

/** Ends the rests of proxies that work, but could not reach a source which turned out to be down. */
export async function endRestsForTarget(db: Queryable): Promise<void> {
  await db.query(
    "UPDATE proxy_states SET state = 'unchecked', rest_until = NULL, rest_step = 0, beyond = false WHERE beyond",
  );
}
