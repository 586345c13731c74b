import pg from 'pg';
import '../column-types.ts';
import type { Log } from '#server/runtime/log.ts';
import type { Db } from '../db.ts';
import { watchForSilence } from './silence-watch.ts';

/** How long the database may keep a kind of work waiting, in milliseconds. */
export type Deadlines = {
  /** For a connection: a new one, or a free one of the pool. */
  connect: number;
  /** For one statement; a little later the client gives up by itself, should the server not have said so. */
  statement: number;
  /** For what another transaction holds. */
  lock: number;
  /** Between two statements of a transaction: then the server ends it, and with it its locks. */
  idleInTransaction: number;
};

/** The deadlines of each kind of work, on the connections of pools and of threads. */
export const deadlines = {
  /** Somebody waits for the answer. */
  request: { connect: 10_000, statement: 60_000, lock: 15_000, idleInTransaction: 60_000 },
  /** Nobody waits: what fails is tried again. A worker that freezes in a transaction must not hold up the others. */
  lookups: { connect: 10_000, statement: 60_000, lock: 10_000, idleInTransaction: 5000 },
  /** One transaction lasts as long as its file is read, which the thread's own deadline ends (300 s). */
  imports: { connect: 10_000, statement: 60_000, lock: 15_000, idleInTransaction: 300_000 },
  /** To find out whether the database answers at all. */
  readiness: { connect: 2000, statement: 2000, lock: 2000, idleInTransaction: 2000 },
} satisfies Record<string, Deadlines>;

/** How much longer than the server the client waits for the end of a statement. */
const graceMs = 2000;
const keepAliveMs = 10_000;

/** Returns what a connection for one kind of work is opened with. */
export function connectionOptions(url: string, kind: Deadlines): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: kind.connect,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    statement_timeout: kind.statement,
    query_timeout: kind.statement + graceMs,
    lock_timeout: kind.lock,
    idle_in_transaction_session_timeout: kind.idleInTransaction,
  };
}

/** Opens one connection pool for one kind of work. */
export function openDb(url: string, log: Log, max = 10, kind: Deadlines = deadlines.request): Db {
  const pool = new pg.Pool({ ...connectionOptions(url, kind), max });
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'));
  watchForSilence(pool, url, log);
  return pool;
}
