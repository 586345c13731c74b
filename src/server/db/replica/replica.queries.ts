import { bool, int8, notNull, text } from '../column-types.ts';
import type { Queryable } from '../db.ts';
import { statement } from '../statement.ts';

const server = statement({
  text: `SELECT system_identifier::text AS system, current_database()::text AS database,
            pg_is_in_recovery() AS is_replica,
            pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END,
              '0/0')::bigint AS position
     FROM pg_control_system()`,
  row: { system: text, database: text, is_replica: bool, position: notNull(int8) },
});

/**
 * A server and the database of a connection. `system` is the same on a primary and its replicas. `position` is the end of
 * the WAL, in bytes: flushed by a primary, replayed by a replica.
 */
export type DatabaseServer = { system: string; database: string; is_replica: boolean; position: number };

export function identifyServer(db: Queryable): Promise<DatabaseServer> {
  return server.one(db);
}

const flushed = statement({
  name: 'flushed-position',
  text: "SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint AS position",
  row: { position: notNull(int8) },
});

/**
 * Returns a position of the WAL, in bytes, that comes after every transaction that has committed.
 * @throws Error of the database on a replica
 */
export async function readFlushedPosition(primary: Queryable): Promise<number> {
  return (await flushed.one(primary)).position;
}

const replayed = statement({
  name: 'replayed-position',
  text: `SELECT pg_is_in_recovery() AND pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') >= $1::bigint AS is_reached`,
  row: { is_reached: notNull(bool) },
});

/** Returns whether a replica has replayed the WAL up to a position. */
export async function hasReplayed(replica: Queryable, position: number): Promise<boolean> {
  return (await replayed.one(replica, [position])).is_reached;
}
