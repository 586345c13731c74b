import { timestamptz } from '#server/column-types.ts';
import type { Queryable } from '#server/db.ts';
import { statement } from '#server/statement.ts';

/** The lock that one worker at a time holds while it changes allocations. */
const allocationLock = 0x436f7677;
/** Keeps the workers' presence locks apart from other advisory locks. */
const presenceLockSeed = 0x436f766c;

const lockPresence = statement({
  text: 'SELECT pg_advisory_lock(hashtextextended($1, $2))',
});

const insert = statement({
  text: 'INSERT INTO workers (id) VALUES ($1)',
});

/** Adds a worker, with a lock that shows it to be alive until this connection ends. */
export async function addWorker(connection: Queryable, id: string): Promise<void> {
  await lockPresence.run(connection, [id, presenceLockSeed]);
  await insert.run(connection, [id]);
}

const markGone = statement({
  text: 'UPDATE workers SET gone_at = now() WHERE id = $1 AND gone_at IS NULL',
});

/** Marks a worker as gone. The others may use what it held when the calls that it started last no longer count. */
export async function markWorkerGone(db: Queryable, id: string): Promise<void> {
  await markGone.run(db, [id]);
}

const lockAllocations = statement({
  text: 'SELECT pg_advisory_xact_lock($1)',
});

const renew = statement({
  text: 'UPDATE workers SET heartbeat = now() WHERE id = $1 AND gone_at IS NULL',
});

const declareDead = statement({
  text: `UPDATE workers SET gone_at = now() WHERE gone_at IS NULL AND id <> $1
       AND (heartbeat < now() - interval '10 seconds' OR pg_try_advisory_xact_lock(hashtextextended(id::text, $2)))`,
});

const deleteGone = statement({
  text: "DELETE FROM workers WHERE gone_at < now() - interval '1.5 seconds'",
});

/**
 * Sends this worker's heartbeat, and declares those dead whose lock is free or whose heartbeat is 10 s old. They are
 * deleted a moment later, since the calls that they started last still count. Until the transaction ends no other worker
 * changes allocations.
 * @returns false when this worker itself was declared dead
 */
export async function renewPresence(tx: Queryable, id: string): Promise<boolean> {
  await lockAllocations.run(tx, [allocationLock]);
  if ((await renew.run(tx, [id])) === 0) return false;
  await declareDead.run(tx, [id, presenceLockSeed]);
  await deleteGone.run(tx);
  return true;
}

const readNow = statement({ text: 'SELECT now()', row: { now: timestamptz } });

/** The time of the database's clock, which all workers share. */
export async function readClock(tx: Queryable): Promise<Date> {
  return (await readNow.one(tx)).now;
}
