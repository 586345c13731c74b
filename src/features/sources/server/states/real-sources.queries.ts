import { textArray } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const save = statement({
  text: 'INSERT INTO real_sources (names) VALUES ($1) ON CONFLICT (is_single) DO UPDATE SET names = excluded.names',
});

/** Notes that sources other than the sandbox serve the database. The note outlives all processes. */
export async function saveRealSources(tx: Queryable, names: string[]): Promise<void> {
  await save.run(tx, [names]);
}

const find = statement({ text: 'SELECT names FROM real_sources', row: { names: textArray } });

/** Returns the names of the last real sources; undefined if the database has only ever been served by the sandbox. */
export async function findRealSources(tx: Queryable): Promise<string[] | undefined> {
  return (await find.first(tx, []))?.names;
}
