import { bool, int4, text } from '../column-types.ts';
import { statement } from '../statement.ts';

/** Returns the id of the server process that answers. */
export const readBackendPid = statement({
  text: 'SELECT pg_backend_pid() AS pid',
  row: { pid: int4 },
});

/** Returns whether the server ends statements of this connection that take too long. */
export const hasStatementTimeout = statement({
  text: "SELECT current_setting('statement_timeout') <> '0' AS is_set",
  row: { is_set: bool },
});

/** Returns the form in which the server writes days and times, as `ISO, MDY`. */
export const readDateStyle = statement({
  text: "SELECT current_setting('datestyle') AS style",
  row: { style: text },
});
