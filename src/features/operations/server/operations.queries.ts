import { int8, notNull, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const database = statement({
  text: `SELECT pg_database_size(current_database()) AS size_bytes, current_setting('server_version') AS version,
            (SELECT name FROM schema_migrations ORDER BY number DESC LIMIT 1) AS schema`,
  row: { size_bytes: int8, version: text, schema: notNull(text) },
});

/** Returns the size and version of the database, and its newest migration. */
export function readDatabase(
  db: Queryable,
): Promise<{ size_bytes: number; version: string; schema: string }> {
  return database.one(db);
}
