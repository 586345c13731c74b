import { array, text } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/** Notes that sources other than the sandbox serve the database. The note outlives all processes. */
export const storeRealSources = statement({
  text: 'INSERT INTO real_sources (names) VALUES (:names) ON CONFLICT (is_single) DO UPDATE SET names = excluded.names',
  params: { names: array(text) },
});

/** Returns the names of the last real sources; undefined if the database has only ever been served by the sandbox. */
export const findRealSources = statement({
  text: 'SELECT names FROM real_sources',
  row: { names: array(text) },
});
