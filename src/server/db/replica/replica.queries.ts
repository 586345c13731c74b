import { bool, int8, notNull, text } from '../column-types.ts';
import { statement } from '../statement.ts';

export const identifyServer = statement({
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

/**
 * Returns a position of the WAL, in bytes, that comes after every transaction that has committed.
 * @throws Error of the database on a replica
 */
export const readFlushedPosition = statement({
  name: 'flushed-position',
  text: "SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint AS position",
  row: { position: notNull(int8) },
});

/** Returns whether a replica has replayed the WAL up to a position. */
export const hasReplayed = statement({
  name: 'replayed-position',
  text: `SELECT pg_is_in_recovery() AND pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') >= :position::bigint AS is_reached`,
  params: { position: int8 },
  row: { is_reached: notNull(bool) },
});
