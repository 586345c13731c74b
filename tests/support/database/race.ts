import type pg from 'pg';
import { waitFor } from '#tests/support/wait.ts';

/** Milliseconds for calls that do not come to the lock at all. */
const patience = 30_000;

/**
 * Starts calls that need what a lock protects while another connection holds it, each once the one before waits, lets
 * go, and resolves with their results: they meet at the lock every time, and pass it in their order.
 * @param lock the statement that takes the lock, and its values
 */
export async function raceForLock<T>(
  pool: pg.Pool,
  [lock, values]: [statement: string, values: unknown[]],
  calls: (() => Promise<T>)[],
): Promise<T[]> {
  return holdLock(pool, [lock, values], async (letGo) => {
    const results: Promise<T>[] = [];
    for (const call of calls) {
      const result = call();
      // Its failure is told below; until then it must not count as unhandled.
      result.catch(() => undefined);
      await waitForWaiting(pool, results.push(result));
    }
    await letGo();
    return Promise.all(results);
  });
}

/** Does some work while another connection of a pool holds a lock, until the work lets go of it or ends. */
export async function holdLock<T>(
  pool: pg.Pool,
  [lock, values]: [statement: string, values: unknown[]],
  work: (letGo: () => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const holder = await pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(lock, values);
    return await work(() => holder.query('COMMIT'));
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
}

/** Waits until so many statements of this database wait for a lock. */
export async function waitForWaiting(pool: pg.Pool, count: number): Promise<void> {
  await waitFor(`${count} calls at the lock`, async () => (await countWaiting(pool)) === count, patience);
}

/** How many statements of this database wait for a lock. */
async function countWaiting(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}
