import { int8, text, timestamptz } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const server = statement({
  text: `SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS size_bytes,
            clock_timestamp() AS now`,
  row: { version: text, size_bytes: int8, now: timestamptz },
});

export function readServer(db: Queryable): Promise<{ version: string; size_bytes: number; now: Date }> {
  return server.one(db);
}
