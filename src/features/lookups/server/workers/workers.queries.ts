import { array, float8, int8, text, uuid } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const allocationLock = 0x436f7677;
/** How long permits last after a heartbeat, in milliseconds. */
export const permitMs = 5000;
/** Grace period before a gone worker's permits are reassigned, after its last calls no longer count. */
const marginMs = 500;
/** Separates the presence locks from other advisory locks. */
const presenceLockSeed = 0x436f766c;

const lockPresence = statement({
  text: 'SELECT pg_advisory_lock(hashtextextended(:id, :presenceLockSeed))',
  params: { id: text, presenceLockSeed: int8 },
});

const insert = statement({
  text: 'INSERT INTO workers (id) VALUES (:id)',
  params: { id: uuid },
});

/** Adds a worker, and takes a lock that shows that it is alive until this connection ends. */
export async function addWorker(connection: Queryable, id: string): Promise<void> {
  await lockPresence.run(connection, { id, presenceLockSeed });
  await insert.run(connection, { id });
}

/**
 * Marks a worker that has stopped using its permits as gone. Others get them when its last calls no longer count.
 */
export const markWorkerGone = statement({
  text: 'UPDATE workers SET gone_at = least(gone_at, now()) WHERE id = :id',
  params: { id: uuid },
});

const lockAllocations = statement({
  name: 'lock-allocations',
  text: 'SELECT pg_advisory_xact_lock(:allocationLock)',
  params: { allocationLock: int8 },
});

const renew = statement({
  name: 'renew-presence',
  text: 'UPDATE workers SET heartbeat = now() WHERE id = :id AND gone_at IS NULL',
  params: { id: uuid },
});

const markSilent = statement({
  name: 'mark-silent-workers',
  text: `UPDATE workers SET gone_at = greatest(now(), heartbeat + :permitMs * interval '1 millisecond')
     WHERE gone_at IS NULL AND id <> :id
       AND (heartbeat < now() - interval '10 seconds' OR pg_try_advisory_xact_lock(hashtextextended(id::text, :presenceLockSeed)))`,
  params: { id: uuid, presenceLockSeed: int8, permitMs: float8 },
});

/**
 * Sends this worker's heartbeat, and marks those as gone whose lock is free or whose heartbeat is 10 s old. A worker
 * that lost only its connection may not know that, so it counts as gone when its permits expire. Until the
 * transaction ends, no other worker changes allocations.
 * @returns false if this worker itself was marked as gone
 */
export async function renewPresence(tx: Queryable, id: string): Promise<boolean> {
  await lockAllocations.run(tx, { allocationLock });
  if ((await renew.run(tx, { id })) === 0) return false;
  await markSilent.run(tx, { id, presenceLockSeed, permitMs });
  return true;
}

// All parts see the data from before the statement, so a worker is deleted one round after its last holdings.
const freeHoldings = statement({
  name: 'free-holdings',
  text: `WITH freed_shares AS (
       DELETE FROM source_shares AS s USING workers AS w
       WHERE w.id = s.worker AND w.gone_at < now() - interval '1 millisecond' * (:marginMs::float8 + coalesce(
         (SELECT l.ms FROM unnest(:names::text[], :ms::float8[]) AS l(source, ms) WHERE l.source = s.source), 1000))),
     freed_proxies AS (
       UPDATE proxy_states AS p SET worker = NULL FROM workers AS w
       WHERE w.id = p.worker AND w.gone_at < now() - interval '1 millisecond' * (:marginMs::float8 + :proxiesMs::float8))
     DELETE FROM workers AS w WHERE gone_at < now() - interval '1 millisecond' * (:marginMs::float8 + :proxiesMs::float8)
       AND NOT EXISTS (SELECT FROM source_shares AS s WHERE s.worker = w.id)`,
  params: { marginMs: float8, names: array(text), ms: array(float8), proxiesMs: float8 },
});

/** How long calls count: towards the rate of each source, and towards the slowest rate per proxy. */
export type CountingTimes = { sources: { name: string; ms: number }[]; proxiesMs: number };

/** Frees the permits and proxies of gone workers, when the calls they started last no longer count. */
export async function freeHoldingsOfGone(
  tx: Queryable,
  { sources, proxiesMs }: CountingTimes,
): Promise<void> {
  const names = sources.map(({ name }) => name);
  await freeHoldings.run(tx, { marginMs, names, ms: sources.map(({ ms }) => ms), proxiesMs });
}
