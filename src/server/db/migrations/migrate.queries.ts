import { int4, text } from '../column-types.ts';
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

const list = statement({
  text: 'SELECT number, name, checksum FROM schema_migrations ORDER BY number',
  row: { number: int4, name: text, checksum: text },
});

/** A migration that ran on the database. */
export type AppliedMigration = { number: number; name: string; checksum: string };

export function listAppliedMigrations(db: Queryable): Promise<AppliedMigration[]> {
  return list.all(db);
}
