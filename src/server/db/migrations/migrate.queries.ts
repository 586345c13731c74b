import { text } from '../column-types.ts';
import type { Queryable } from '../db.ts';
import { statement } from '../statement.ts';

const findUnknown = statement({
  name: 'find-unknown-migration',
  text: 'SELECT name FROM schema_migrations WHERE number <> ALL ($1) ORDER BY number DESC LIMIT 1',
  row: { name: text },
});

/** Returns the name of the newest migration that ran on the database and has none of these numbers. */
export async function findUnknownMigration(db: Queryable, known: number[]): Promise<string | undefined> {
  return (await findUnknown.first(db, [known]))?.name;
}
