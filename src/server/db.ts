import pg from 'pg';
import './column-types.ts';
import type { Log } from './log.ts';

/** The one handle for statements: the pool, or one client inside a transaction. */
export type Queryable = Pick<pg.Pool | pg.PoolClient, 'query'>;

/** The pool of connections. */
export type Db = pg.Pool;

/** Opens one connection pool. */
export function openDb(url: string, log: Log, max = 10): Db {
  const pool = new pg.Pool({ connectionString: url, max });
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'));
  return pool;
}

/** Runs `work` in one transaction on one connection; commits its result, rolls back when it throws. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection that is lost between two statements reports it here; unheard, that would end the process.
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}
