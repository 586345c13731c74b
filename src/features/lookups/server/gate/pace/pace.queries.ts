import { isDeepStrictEqual } from 'node:util';
import type { SourceEntry } from '#features/sources/server/configuration/source-kind.ts';
import type { CallCounts } from '#features/sources/server/figures/call-counts.ts';
import { sourcesChannel } from '#features/sources/server/states/source-states.queries.ts';
import { int4, notNull, nullable, text } from '#server/db/column-types.ts';
import { notify } from '#server/db/connection/notify.queries.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import { nextPace } from './pace.ts';

const pace = { pace: nullable(int4), full_pace: nullable(int4), window_calls: int4, window_bad: int4 };

const lock = statement({
  text: `SELECT pace, full_pace, window_calls, window_bad,
       (SELECT greatest(1, count(*)) FROM source_shares AS s JOIN workers AS w ON w.id = s.worker
          WHERE s.source = :name AND s.wants AND w.gone_at IS NULL)::integer AS workers
     FROM sources WHERE name = :name FOR NO KEY UPDATE`,
  params: { name: text },
  row: { ...pace, workers: notNull(int4) },
});

const write = statement({
  text: `UPDATE sources SET pace = :pace, full_pace = :full_pace, window_calls = :window_calls,
       window_bad = :window_bad WHERE name = :name`,
  params: { name: text, ...pace },
});

/**
 * Adds a worker's calls to those by which a source's pace is decided, and notifies all workers of a new
 * pace.
 * @returns the new pace, or null for the full one; undefined if it has not changed
 */
export async function updatePace(
  tx: Queryable,
  { name, limits }: Pick<SourceEntry, 'name' | 'limits'>,
  { calls, outcomes, ms }: Pick<CallCounts, 'calls' | 'outcomes' | 'ms'>,
): Promise<number | null | undefined> {
  const locked = await lock.first(tx, { name });
  if (!locked) return undefined;
  // Each of the workers that ask the source has about as many calls as this one.
  const { workers, ...before } = locked;
  const seconds = ms / 1000 / workers;
  // The last three open the source's circuit instead.
  const { retry = 0, throttled = 0, unreachable = 0, auth = 0, quota = 0 } = outcomes;
  const judged = calls - unreachable - auth - quota;
  const bad = retry + throttled;
  const after = nextPace(before, judged, bad, {
    current: limits.per_second ?? calls / seconds,
    answered: (judged - bad) / seconds,
  });
  if (!isDeepStrictEqual(after, before)) await write.run(tx, { name, ...after });
  if (after.pace === before.pace) return undefined;
  await notify(tx, sourcesChannel, name);
  return after.pace;
}
