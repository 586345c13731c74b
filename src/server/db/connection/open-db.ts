import pg from 'pg';
import '../column-types.ts';
import type { Log } from '#server/runtime/log.ts';
import type { Db } from '../db.ts';
import { keepAlive } from './connection.ts';

/** The database timeouts of one kind of work, in milliseconds. */
export type Deadlines = {
  /** For a new connection, or a free one of the pool. */
  connect: number;
  /** For one statement. The client gives up `graceMs` later if the server has not cancelled it. */
  statement: number;
  /** For a lock that another transaction holds. */
  lock: number;
  /** Between two statements of a transaction. The server then ends it and releases its locks. */
  idleInTransaction: number;
};

/** The timeouts of each kind of work, for pools and for the connections of threads. */
export const deadlines = {
  /** A caller waits for the response. */
  request: { connect: 10_000, statement: 60_000, lock: 15_000, idleInTransaction: 15_000 },
  /**
   * Failures are retried. A worker notices a silent connection within 15 s, and one that freezes in a transaction must
   * not block the other workers for long.
   */
  lookups: { connect: 10_000, statement: 13_000, lock: 10_000, idleInTransaction: 5000 },
  /** The transaction stays open while the file is read, up to the thread's own deadline (300 s). */
  imports: { connect: 10_000, statement: 60_000, lock: 15_000, idleInTransaction: 300_000 },
  /** For health checks. */
  readiness: { connect: 2000, statement: 2000, lock: 2000, idleInTransaction: 2000 },
} satisfies Record<string, Deadlines>;

const graceMs = 2000;
export function connectionOptions(url: string, kind: Deadlines): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: kind.connect,
    ...keepAlive,
    statement_timeout: kind.statement,
    query_timeout: kind.statement + graceMs,
    lock_timeout: kind.lock,
    idle_in_transaction_session_timeout: kind.idleInTransaction,
  };
}

/** Opens a connection pool for one kind of work on the server itself. */
export function openDb(url: string, log: Log, max = 10, kind: Deadlines = deadlines.request): Db {
  const pool = new pg.Pool({ ...connectionOptions(url, kind), max });
  listenToErrors(pool, log);
  return pool;
}

/** Runs some work on a pool of its own. */
export async function withDb<T>(url: string, log: Log, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openDb(url, log, 2);
  return await work(db).finally(() => db.end());
}

/** Reports lost idle connections. Without these listeners they would end the process. */
export function listenToErrors(pool: pg.Pool, log: Log): void {
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'));
  // Lost in the moment in which it is handed over, before its user listens; its next statement fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
}
