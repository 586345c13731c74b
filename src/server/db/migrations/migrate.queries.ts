import { array, int4, text } from '../column-types.ts';
import { statement } from '../statement.ts';

/** Returns the name of the newest migration that ran on the database and has none of these numbers. */
export const findUnknownMigration = statement({
  name: 'find-unknown-migration',
  text: 'SELECT name FROM schema_migrations WHERE number <> ALL (:known) ORDER BY number DESC LIMIT 1',
  params: { known: array(int4) },
  row: { name: text },
});

/** Lists the migrations that ran on the database. */
export const listAppliedMigrations = statement({
  text: 'SELECT number, name, checksum FROM schema_migrations ORDER BY number',
  row: { number: int4, name: text, checksum: text },
});
