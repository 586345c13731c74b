import { array, float8, int8, text, uuid } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import { suspendedMs } from '#server/runtime/suspended-ms.ts';

const allocationLock = 0x436f7677;
/** How long permits last after a heartbeat, in milliseconds. */
export const permitMs = 5000;
/** Grace period before a gone worker's permits are reassigned, after its last calls no longer count. */
const marginMs = 500;

/** Adds a worker, which is alive as long as it renews its presence. Its first round does this, too. */
export const insertWorker = statement({
  text: 'INSERT INTO workers (id, heartbeat) VALUES (:id, clock_timestamp())',
  params: { id: uuid },
});

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
  text: 'UPDATE workers SET heartbeat = clock_timestamp(), gone_at = NULL WHERE id = :id',
  params: { id: uuid },
});

const markSilent = statement({
  name: 'mark-silent-workers',
  text: `UPDATE workers SET gone_at = now()
     WHERE gone_at IS NULL AND heartbeat < now() - :permitMs * interval '1 millisecond'`,
  params: { permitMs: float8 },
});

/**
 * Sends this worker's heartbeat, and marks those as gone whose permits have expired. Until the transaction ends, no other
 * worker changes allocations.
 * @returns `isKnown`: false if this worker itself was deleted, so that it held nothing; it is added again.
 *   `permittedUntil`: the time until which permits of this round are valid, with `suspendedMs`
 */
export async function renewPresence(tx: Queryable, id: string) {
  await lockAllocations.run(tx, { allocationLock });
  // Not before the wait for the lock, which may be long, and not after the heartbeat, which must outlast the permits.
  const permittedUntil = performance.now() + suspendedMs() + permitMs;
  const isKnown = (await renew.run(tx, { id })) > 0;
  if (!isKnown) await insertWorker.run(tx, { id });
  await markSilent.run(tx, { permitMs });
  return { isKnown, permittedUntil };
}

// Both parts see the data from before the statement, so a worker is deleted one round after its last permits. The foreign
// key ends its leases of proxies.
const freeHoldings = statement({
  name: 'free-holdings',
  text: `WITH freed_shares AS (
       DELETE FROM source_shares AS s USING workers AS w
       WHERE w.id = s.worker AND w.gone_at < now() - interval '1 millisecond' * (:marginMs::float8 + coalesce(
         (SELECT l.ms FROM unnest(:names::text[], :ms::float8[]) AS l(source, ms) WHERE l.source = s.source), 1000)))
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
