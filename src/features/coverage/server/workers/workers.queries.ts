import type { Queryable } from '#server/db.ts';

/** The lock that one worker at a time holds while it changes allocations. */
const allocationLock = 0x436f7677;
/** Keeps the workers' presence locks apart from other advisory locks. */
const presenceLockSeed = 0x436f766c;

/** Adds a worker, with a lock that shows it to be alive until this connection ends. */
export async function addWorker(connection: Queryable, id: string): Promise<void> {
  await connection.query('SELECT pg_advisory_lock(hashtextextended($1, $2))', [id, presenceLockSeed]);
  await connection.query('INSERT INTO workers (id) VALUES ($1)', [id]);
}

/** Marks a worker as gone. The others may use what it held when the calls that it started last no longer count. */
export async function markWorkerGone(db: Queryable, id: string): Promise<void> {
  await db.query('UPDATE workers SET gone_at = now() WHERE id = $1 AND gone_at IS NULL', [id]);
}

/**
 * Sends this worker's heartbeat, and declares those dead whose lock is free or whose heartbeat is 10 s old. They are
 * deleted a moment later, since the calls that they started last still count. Until the transaction ends no other worker
 * changes allocations.
 * @returns false when this worker itself was declared dead
 */
export async function renewPresence(tx: Queryable, id: string): Promise<boolean> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [allocationLock]);
  const { rowCount } = await tx.query(
    'UPDATE workers SET heartbeat = now() WHERE id = $1 AND gone_at IS NULL',
    [id],
  );
  if (rowCount === 0) return false;
  await tx.query(
    `UPDATE workers SET gone_at = now() WHERE gone_at IS NULL AND id <> $1
       AND (heartbeat < now() - interval '10 seconds' OR pg_try_advisory_xact_lock(hashtextextended(id::text, $2)))`,
    [id, presenceLockSeed],
  );
  await tx.query("DELETE FROM workers WHERE gone_at < now() - interval '1.5 seconds'");
  return true;
}
