import type pg from 'pg';
import { waitFor } from '#tests/support/wait.ts';

/** In milliseconds, for calls that never reach the lock. */
const timeoutMs = 30_000;

/**
 * Starts calls that need a lock while another connection holds it, each when the call before is waiting. Then releases
 * the lock and resolves with their results. The calls always meet at the lock, and get it in their order.
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
      // Its error is thrown below; until then it must not be an unhandled rejection.
      result.catch(() => undefined);
      await waitForWaiting(pool, results.push(result));
    }
    await letGo();
    return Promise.all(results);
  });
}

/** Runs some work while another connection of a pool holds a lock. The work may release it earlier. */
export async function holdLock<T>(
  pool: pg.Pool,
  [lock, values]: [statement: string, values: unknown[]],
  work: (letGo: () => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const holder = await pool.connect();
  try {
    // Idle for as long as the work takes.
    await holder.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
    await holder.query(lock, values);
    return await work(() => holder.query('COMMIT'));
  } finally {
    // Also if PostgreSQL has closed the connection, which would keep the pool from ending.
    await holder.query('ROLLBACK').finally(() => holder.release());
  }
}

/** Waits until this number of statements of the database wait for a lock, or more: repeated work may meet it as well. */
export async function waitForWaiting(pool: pg.Pool, count: number): Promise<void> {
  await waitFor(`${count} calls at the lock`, async () => (await countWaiting(pool)) >= count, timeoutMs);
}

/** Returns the number of statements of this database that wait for a lock. */
async function countWaiting(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}
