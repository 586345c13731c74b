import type { Queryable } from '#server/db.ts';

/** What workers lock in turn while they share out limits. */
const shareLock = 0x436f7677;
/** Sets the advisory locks of workers apart from others. */
const lifeLockSeed = 0x436f766c;

/** Joins the workers, on a connection whose end frees the lock that shows this one to be alive. */
export async function joinWorkers(connection: Queryable, id: string): Promise<void> {
  await connection.query('SELECT pg_advisory_lock(hashtextextended($1, $2))', [id, lifeLockSeed]);
  await connection.query('INSERT INTO workers (id) VALUES ($1)', [id]);
}

/** Leaves: what it held is free for the others once what it began last counts no more (`meetWorkers`). */
export async function leaveWorkers(db: Queryable, id: string): Promise<void> {
  await db.query('UPDATE workers SET gone_at = now() WHERE id = $1 AND gone_at IS NULL', [id]);
}

/**
 * Shows that this worker is alive, and forgets those that are not, a moment after they went: what they had just begun
 * still counts into the limits. Until the transaction ends nobody else changes shares.
 * @returns false when this worker itself was taken for gone
 */
export async function meetWorkers(tx: Queryable, id: string): Promise<boolean> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [shareLock]);
  const { rowCount } = await tx.query(
    'UPDATE workers SET heartbeat = now() WHERE id = $1 AND gone_at IS NULL',
    [id],
  );
  if (rowCount === 0) return false;
  await tx.query(
    `UPDATE workers SET gone_at = now() WHERE gone_at IS NULL AND id <> $1
       AND (heartbeat < now() - interval '10 seconds' OR pg_try_advisory_xact_lock(hashtextextended(id::text, $2)))`,
    [id, lifeLockSeed],
  );
  await tx.query("DELETE FROM workers WHERE gone_at < now() - interval '1.5 seconds'");
  return true;
}
