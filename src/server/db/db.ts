import pg from 'pg';
import { isTransientFailure } from './connection/connection.ts';

/** The pool, or the connection of a transaction. */
export type Queryable = Pick<pg.Pool | pg.PoolClient, 'query'>;

export type Db = pg.Pool;

/** Runs `work` in a transaction. Rolls back if it throws. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // Emitted if the connection is lost between two statements. Without a listener it would end the process.
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
    if (isTransientFailure(error as Error) && !(error instanceof pg.DatabaseError)) {
      // A rollback would not be answered either. The server ends the transaction with the connection.
      broken = error as Error;
    } else {
      await client.query('ROLLBACK').catch((rollbackError: Error) => {
        broken = rollbackError;
      });
    }
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}
