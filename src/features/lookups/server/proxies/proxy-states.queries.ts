import { array, bool, int4, int8, jsonb, notNull, text, uuid } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';
import type { ProxyOutcome } from './proxy-pool.ts';

/** Returns a text that changes when a set is uploaded, deleted or expires. */
export const readPoolVersion = statement({
  text: `SELECT concat_ws(',', count(*), max(id), min(id), sum(id)) AS version FROM proxy_sets WHERE expires_at > now()`,
  row: { version: text },
});

/**
 * Adds missing states of Active proxies, up to `limit`. Sorted, so that two workers do not deadlock.
 * @returns whether all states exist now
 */
export const insertProxyStates = statement({
  text: `WITH missing AS (
       SELECT p.url FROM proxies AS p JOIN proxy_sets AS s ON s.id = p.proxy_set_id
       WHERE s.expires_at > now() AND NOT EXISTS (SELECT FROM proxy_states WHERE proxy = p.url)
       LIMIT :limit),
     added AS (
       INSERT INTO proxy_states (proxy) SELECT url FROM missing ORDER BY url ON CONFLICT DO NOTHING)
     SELECT count(*) < :limit AS is_complete FROM missing`,
  params: { limit: int8 },
  row: { is_complete: bool },
});

/** Returns up to `limit` proxies with a state that are in no Active set, leased ones first. */
export const listInactiveProxies = statement({
  text: `SELECT proxy FROM proxy_states AS p WHERE NOT EXISTS (
       SELECT FROM proxies AS a JOIN proxy_sets AS s ON s.id = a.proxy_set_id
       WHERE a.url = p.proxy AND s.expires_at > now())
     ORDER BY worker IS NULL LIMIT :limit`,
  params: { limit: int8 },
  row: { proxy: text },
});

/** Returns whether there is an Active proxy, and how many of them do not rest, counted up to `limit`. */
export const countProxies = statement({
  text: `SELECT EXISTS (SELECT FROM proxy_states) AS any,
       (SELECT count(*) FROM (
         SELECT FROM proxy_states WHERE rest_until <= now() ORDER BY rest_until LIMIT :limit) AS u) AS usable`,
  params: { limit: int8 },
  row: { any: bool, usable: notNull(int8) },
});

/** Returns the proxies that are leased to a worker, including resting ones. */
export const listLeasedProxies = statement({
  text: 'SELECT proxy FROM proxy_states WHERE worker = :worker',
  params: { worker: uuid },
  row: { proxy: text },
});

/** Lists the workers that want proxies, including this one. */
export const listWantingWorkers = statement({
  text: `SELECT :me::uuid AS worker UNION
     SELECT s.worker FROM source_shares AS s JOIN workers AS w ON w.id = s.worker
     WHERE s.source = ANY(:sources) AND s.wants AND w.gone_at IS NULL`,
  params: { sources: array(text), me: uuid },
  row: { worker: uuid },
});

/** Leases up to `limit` free proxies that do not rest, least recently used first. */
export const leaseProxies = statement({
  text: `UPDATE proxy_states SET worker = :worker, beyond = false,
       state = CASE WHEN state = 'resting' THEN 'unchecked' ELSE state END
     WHERE proxy IN (
       SELECT proxy FROM proxy_states WHERE worker IS NULL AND rest_until <= now()
       ORDER BY rest_until LIMIT :limit FOR UPDATE SKIP LOCKED)
     RETURNING proxy, state = 'good' AS good, rest_step`,
  params: { worker: uuid, limit: int8 },
  row: { proxy: text, good: bool, rest_step: int4 },
});

/** Returns proxies, to be leased after all other free ones. A resting proxy continues its rest. */
export const giveBackProxies = statement({
  text: `UPDATE proxy_states SET worker = NULL, rest_until = greatest(rest_until, now())
     WHERE worker = :worker AND proxy = ANY(:proxies)`,
  params: { worker: uuid, proxies: array(text) },
});

export const deleteProxyStates = statement({
  text: 'DELETE FROM proxy_states WHERE proxy = ANY(:proxies)',
  params: { proxies: array(text) },
});

/**
 * Stores the outcomes of proxies that are leased to a worker. The lease of a failed one stays, because other calls may be using the proxy.
 */
export const storeProxyOutcomes = statement({
  text: `UPDATE proxy_states AS p SET state = o.state, rest_step = o."restStep", beyond = o."targetUnreachable",
       rest_until = CASE WHEN o.state = 'resting' THEN now() + o."restMs" * interval '1 millisecond' ELSE p.rest_until END
     FROM jsonb_to_recordset(:outcomes)
       AS o(proxy text, state text, "restMs" float8, "restStep" integer, "targetUnreachable" boolean)
     WHERE p.proxy = o.proxy AND p.worker = :worker`,
  params: { worker: uuid, outcomes: jsonb<ProxyOutcome[]>() },
});

/** Ends the rests of proxies that could not reach a source that turned out to be down. */
export const endRestsForTarget = statement({
  text: "UPDATE proxy_states SET state = 'unchecked', rest_until = now(), rest_step = 0, beyond = false WHERE beyond",
});
