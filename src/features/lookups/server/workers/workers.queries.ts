import type { SourceEntry } from '#features/sources/server/configuration/source-kind.ts';
import { array, bool, float8, int8, notNull, text, uuid } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import { suspendedMs } from '#server/runtime/suspended-ms.ts';
import { maxProxyWindowMs, windowMsOf } from '../gate/limits/sliding-window.ts';
import { goneSeconds } from '../jobs/lookup-jobs.queries.ts';

const allocationLock = 0x436f7677;
/** How long permits last after a heartbeat, in milliseconds. */
export const permitMs = 5000;
/** Grace period before a gone worker's permits are reassigned, after its last calls no longer count. */
const marginMs = 500;

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
  text: `WITH known AS (SELECT FROM workers WHERE id = :id)
     INSERT INTO workers (id, heartbeat) VALUES (:id, clock_timestamp())
     ON CONFLICT (id) DO UPDATE SET heartbeat = excluded.heartbeat, gone_at = NULL
     RETURNING EXISTS (SELECT FROM known) AS is_known`,
  params: { id: uuid },
  row: { is_known: notNull(bool) },
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
 * @returns `isKnown`: false if this worker is new, or was deleted, so that it held nothing; it is added.
 *   `permittedUntil`: the time until which permits of this round are valid, with `suspendedMs`
 */
export async function renewPresence(tx: Queryable, id: string) {
  await lockAllocations.run(tx, { allocationLock });
  // Not before the wait for the lock, which may be long, and not after the heartbeat, which must outlast the permits.
  const permittedUntil = performance.now() + suspendedMs() + permitMs;
  const { is_known: isKnown } = await renew.one(tx, { id });
  await markSilent.run(tx, { permitMs });
  return { isKnown, permittedUntil };
}

// All parts see the data from before the statement, so a worker is deleted one round after its last permits. Its deletion
// ends its leases of proxies (by the foreign key) and frees its jobs (`makeDueJobsReady`), so one with jobs is kept for 5 s.
const freeHoldings = statement({
  name: 'free-holdings',
  text: `WITH freed_shares AS (
       DELETE FROM source_shares AS s USING workers AS w
       WHERE w.id = s.worker AND w.gone_at < now() - interval '1 millisecond' * (:marginMs::float8 + coalesce(
         (SELECT l.ms FROM unnest(:names::text[], :ms::float8[]) AS l(source, ms) WHERE l.source = s.source), 1000)))
     DELETE FROM workers AS w WHERE gone_at < now() - interval '1 millisecond' * (:marginMs::float8 + :proxiesMs::float8)
       AND NOT EXISTS (SELECT FROM source_shares AS s WHERE s.worker = w.id)
       AND (gone_at < now() - interval '${goneSeconds} seconds' OR NOT EXISTS (SELECT FROM lookup_jobs WHERE holder = w.id))`,
  params: { marginMs: float8, names: array(text), ms: array(float8), proxiesMs: float8 },
});

/** Frees the permits and proxies of gone workers, when the calls to these sources that they started last no longer count. */
export async function freeHoldingsOfGone(
  tx: Queryable,
  entries: Pick<SourceEntry, 'name' | 'limits'>[],
): Promise<void> {
  await freeHoldings.run(tx, {
    marginMs,
    names: entries.map(({ name }) => name),
    ms: entries.map(({ limits }) => windowMsOf(limits.per_second)),
    proxiesMs: maxProxyWindowMs(entries.map(({ limits }) => limits)),
  });
}
