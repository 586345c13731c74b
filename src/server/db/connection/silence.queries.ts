import { bool, int4, notNull } from '../column-types.ts';
import type { Queryable } from '../db.ts';
import { statement } from '../statement.ts';

const listWaiting = statement({
  text: `SELECT pid FROM pg_stat_activity WHERE pid = ANY($1) AND datname = current_database()
       AND usename = current_user AND (state <> 'active' OR wait_event = 'ClientRead')`,
  row: { pid: notNull(int4) },
});

/** Returns those server processes that wait for a statement of their client. */
export async function listWaitingBackends(db: Queryable, pids: number[]): Promise<Set<number>> {
  const rows = await listWaiting.all(db, [pids]);
  return new Set(rows.map(({ pid }) => pid));
}

/** Ends connections on the server, with their transactions and locks. */
export const terminateBackends = statement({
  text: `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
     WHERE pid = ANY($1) AND datname = current_database() AND usename = current_user`,
  row: { ended: bool },
}).runWith<[pids: number[]]>();
