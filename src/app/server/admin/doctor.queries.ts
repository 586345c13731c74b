import { int8, text, timestamptz } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

export const readServer = statement({
  text: `SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS size_bytes,
            clock_timestamp() AS now`,
  row: { version: text, size_bytes: int8, now: timestamptz },
});
