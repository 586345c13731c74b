import pg from 'pg';
import type { Log } from '#server/runtime/log.ts';
import type { Db } from '../db.ts';
import { connectionOptions, type Deadlines, deadlines, listenToErrors, openDb } from './open-db.ts';

/** The database server, and the pooler in front of it if there is one. */
export type Addresses = { databaseUrl: string; poolerUrl?: string | undefined; log: Log };

/**
 * Opens a pool of connections that keep nothing from one transaction to the next: through the pooler of DATABASE_URL if
 * there is one, else on the server itself. What needs a session (its locks, LISTEN, cursors) connects to `databaseUrl`.
 */
export function openPool(
  { databaseUrl, poolerUrl, log }: Addresses,
  max: number,
  kind: Deadlines = deadlines.request,
): Db {
  if (poolerUrl === undefined) return openDb(databaseUrl, log, max, kind);
  // A pooler refuses timeouts as start parameters. Its `connect_query` sets those of the server (docs/operating.md).
  const ownTimeouts = {
    statement_timeout: undefined,
    lock_timeout: undefined,
    idle_in_transaction_session_timeout: undefined,
  };
  const options = { ...connectionOptions(poolerUrl, kind), ...ownTimeouts, max, Client: PooledClient };
  const pool = new pg.Pool(options);
  listenToErrors(pool, log);
  return pool;
}

/** A connection through a pooler. It prepares nothing, because the next transaction may have another server process. */
class PooledClient extends pg.Client {
  override query(query: string | pg.QueryConfig | pg.Submittable, ...more: unknown[]): never {
    const isNamed = typeof query === 'object' && 'text' in query && !('submit' in query);
    const sent = isNamed ? { ...query, name: undefined } : query;
    return super.query(sent as pg.QueryConfig, ...(more as [])) as never;
  }
}
