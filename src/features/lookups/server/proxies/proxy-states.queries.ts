import {
  int4,
  int8,
  nullable,
  type RowOf,
  text,
  textOf,
  timestamptz,
  uuid,
} from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const findVersion = statement({
  text: `SELECT concat_ws(',', count(*), max(id), min(id), sum(id)) AS version FROM proxy_sets WHERE expires_at > now()`,
  row: { version: text },
});

/** Changes whenever a set is uploaded, deleted or expires. */
export async function readPoolVersion(db: Queryable): Promise<string> {
  return (await findVersion.one(db)).version;
}

const listActive = statement({
  text: `SELECT DISTINCT p.url FROM proxies AS p JOIN proxy_sets AS s ON s.id = p.proxy_set_id
     WHERE s.expires_at > now()`,
  row: { url: text },
});

/** Every proxy of every Active set, each once. */
export async function listActiveProxies(db: Queryable): Promise<string[]> {
  const rows = await listActive.all(db);
  return rows.map(({ url }) => url);
}

const listStates = statement({
  text: `SELECT proxy, CASE WHEN state = 'resting' AND rest_until <= now() THEN 'unchecked' ELSE state END AS state,
       rest_until, rest_step, worker FROM proxy_states`,
  row: {
    proxy: text,
    state: textOf<'unchecked' | 'good' | 'resting'>(),
    rest_until: nullable(timestamptz),
    rest_step: int4,
    worker: nullable(uuid),
  },
});

/** What all workers know of a proxy. */
export type ProxyStateRow = RowOf<typeof listStates.row>;

export function listProxyStates(db: Queryable): Promise<ProxyStateRow[]> {
  return listStates.all(db);
}

const countWanting = statement({
  text: `SELECT count(DISTINCT s.worker) AS count FROM source_shares AS s JOIN workers AS w ON w.id = s.worker
     WHERE s.source = ANY($1) AND s.wants AND s.worker <> $2 AND w.gone_at IS NULL`,
  row: { count: int8 },
});

/** How many workers want proxies, this one among them. */
export async function countWantingWorkers(db: Queryable, sources: string[], me: string): Promise<number> {
  return (await countWanting.one(db, [sources, me])).count + 1;
}

const lease = statement({
  text: `INSERT INTO proxy_states (proxy, worker) SELECT url, $2 FROM unnest($1::text[]) AS u(url)
     ON CONFLICT (proxy) DO UPDATE SET worker = excluded.worker, beyond = false, rest_until = NULL,
       state = CASE WHEN proxy_states.state = 'resting' THEN 'unchecked' ELSE proxy_states.state END`,
});

export async function leaseProxies(tx: Queryable, worker: string, proxies: string[]): Promise<void> {
  await lease.run(tx, [proxies, worker]);
}

const release = statement({
  text: 'UPDATE proxy_states SET worker = NULL WHERE proxy = ANY($1) AND worker = $2',
});

export async function releaseProxies(tx: Queryable, worker: string, proxies: string[]): Promise<void> {
  await release.run(tx, [proxies, worker]);
}

const forget = statement({
  text: 'DELETE FROM proxy_states WHERE proxy = ANY($1)',
});

/** Deletes the states of proxies that are in no Active set any more. */
export async function deleteProxyStates(tx: Queryable, proxies: string[]): Promise<void> {
  await forget.run(tx, [proxies]);
}

const setGood = statement({
  text: "UPDATE proxy_states SET state = 'good', rest_step = 0 WHERE proxy = ANY($1)",
});

/** Marks proxies that have answered. */
export async function markGood(db: Queryable, proxies: string[]): Promise<void> {
  await setGood.run(db, [proxies]);
}

const restOne = statement({
  text: `UPDATE proxy_states SET state = 'resting', rest_until = now() + $2 * interval '1 millisecond', rest_step = $3,
       beyond = $4
     WHERE proxy = $1`,
});

/** Has a proxy rest that failed a call. Its lease ends by itself: other calls through it may still be under way. */
export async function restProxy(
  db: Queryable,
  proxy: string,
  rest: { ms: number; step: number; targetUnreachable: boolean },
): Promise<void> {
  await restOne.run(db, [proxy, rest.ms, rest.step, rest.targetUnreachable]);
}

const endRests = statement({
  text: "UPDATE proxy_states SET state = 'unchecked', rest_until = NULL, rest_step = 0, beyond = false WHERE beyond",
});

/** Ends the rests of proxies that work, but could not reach a source which turned out to be down. */
export async function endRestsForTarget(db: Queryable): Promise<void> {
  await endRests.run(db);
}
