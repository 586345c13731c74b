import { sourcesChannel } from '#features/sources/server/states/source-states.queries.ts';
import { int4, nullable, text } from '#server/db/column-types.ts';
import { notify } from '#server/db/connection/notify.queries.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import type { Pace } from './pace.ts';

export const lockPace = statement({
  text: 'SELECT pace, full_pace, window_calls, window_bad FROM sources WHERE name = :name FOR UPDATE',
  params: { name: text },
  row: { pace: nullable(int4), full_pace: nullable(int4), window_calls: int4, window_bad: int4 },
});

const write = statement({
  text: `UPDATE sources SET pace = :pace, full_pace = :full_pace, window_calls = :window_calls,
       window_bad = :window_bad WHERE name = :name`,
  params: {
    name: text,
    pace: nullable(int4),
    full_pace: nullable(int4),
    window_calls: int4,
    window_bad: int4,
  },
});

export async function writePace(tx: Queryable, name: string, next: Pace, changed: boolean): Promise<void> {
  await write.run(tx, { ...next, name });
  if (changed) await notify(tx, sourcesChannel, name);
}
