import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import './column-types.ts';
import type { Log } from './log.ts';
import type { Schema } from './schema.ts';

/** Anything that runs a statement: the pool, or one client inside a transaction. */
export type Queryable = Pick<pg.Pool | pg.PoolClient, 'query'>;

/** The pool of connections. `pool` and `kysely` are the same one, for what is not yet on statements. */
export type Db = pg.Pool & {
  pool: pg.Pool;
  kysely: Kysely<Schema>;
  close(): Promise<void>;
};

/** Opens one connection pool. */
export function openDb(url: string, log: Log, max = 10): Db {
  const pool = new pg.Pool({ connectionString: url, max });
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'));
  const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  // Closing the other face would leave the pool open where no query went through it.
  return Object.assign(pool, { pool, kysely, close: () => pool.end() });
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
