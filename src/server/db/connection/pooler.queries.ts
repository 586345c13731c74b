import { bool, int4 } from '../column-types.ts';
import type { Queryable } from '../db.ts';
import { statement } from '../statement.ts';

const readBackend = statement({ text: 'SELECT pg_backend_pid() AS pid', row: { pid: int4 } });

/** Returns the id of the server process that answers. */
export async function readBackendPid(db: Queryable): Promise<number> {
  return (await readBackend.one(db)).pid;
}

const readTimeout = statement({
  text: "SELECT current_setting('statement_timeout') <> '0' AS is_set",
  row: { is_set: bool },
});

/** Returns whether the server ends statements of this connection that take too long. */
export async function hasStatementTimeout(db: Queryable): Promise<boolean> {
  return (await readTimeout.one(db)).is_set;
}
