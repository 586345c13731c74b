import type pg from 'pg';

/** Counts the transactions of this database that are open and have run no statement for some seconds. */
export async function countOpenTransactions(pool: pg.Pool, idleSeconds = 0): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND state LIKE 'idle in transaction%'
       AND state_change <= clock_timestamp() - $1 * interval '1 second'`,
    [idleSeconds],
  );
  return rows[0]?.count ?? 0;
}
