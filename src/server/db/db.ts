import pg from 'pg';
import { breakConnection, isAnswerDue } from './connection/connection.ts';

/** The one handle for statements: the pool, or one client inside a transaction. */
export type Queryable = Pick<pg.Pool | pg.PoolClient, 'query'>;

/** The pool of connections. */
export type Db = pg.Pool;

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
    // A refusal is an answer, although the server may still be about to say that it is ready again.
    if (isAnswerDue(client) && !(error instanceof pg.DatabaseError)) {
      // Nothing would answer a rollback either; the server ends the transaction with the connection.
      broken = error as Error;
      breakConnection(client, broken);
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
