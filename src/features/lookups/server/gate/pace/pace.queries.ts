import { sourcesChannel } from '#features/sources/server/states/source-states.queries.ts';
import { int4, nullable } from '#server/db/column-types.ts';
import { notify } from '#server/db/connection/notify.queries.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import type { Pace } from './pace.ts';

export const lockPace = statement({
  text: 'SELECT pace, full_pace, window_calls, window_bad FROM sources WHERE name = $1 FOR UPDATE',
  row: { pace: nullable(int4), full_pace: nullable(int4), window_calls: int4, window_bad: int4 },
}).firstWith<[name: string]>();

const write = statement({
  text: 'UPDATE sources SET pace = $2, full_pace = $3, window_calls = $4, window_bad = $5 WHERE name = $1',
});

export async function writePace(tx: Queryable, name: string, next: Pace, changed: boolean): Promise<void> {
  await write.run(tx, [name, next.pace, next.full_pace, next.window_calls, next.window_bad]);
  if (changed) await notify(tx, sourcesChannel, name);
}
