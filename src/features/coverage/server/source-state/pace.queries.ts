import type { Queryable } from '#server/db.ts';
import type { Pace } from './pace.ts';
import { sourcesChannel } from './source-states.queries.ts';

/** Reads a source's pace and locks it for a change. */
export async function lockPace(tx: Queryable, name: string): Promise<Pace | undefined> {
  const { rows } = await tx.query<Pace>(
    'SELECT pace, full_pace, window_calls, window_bad FROM sources WHERE name = $1 FOR UPDATE',
    [name],
  );
  return rows[0];
}

export async function writePace(tx: Queryable, name: string, next: Pace, changed: boolean): Promise<void> {
  await tx.query(
    'UPDATE sources SET pace = $2, full_pace = $3, window_calls = $4, window_bad = $5 WHERE name = $1',
    [name, next.pace, next.full_pace, next.window_calls, next.window_bad],
  );
  if (changed) await tx.query('SELECT pg_notify($1, $2)', [sourcesChannel, name]);
}
