import type { OutcomeName } from '#features/sources/sources.contract.ts';
import {
  array,
  int4,
  int8,
  jsonb,
  listColumns,
  type RowOf,
  text,
  textOf,
  timestamptz,
} from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import type { CallCounts } from './call-counts.ts';

/** How long figures are stored; screens show the last 24 hours. */
const keptHours = 25;

const add = statement({
  text: `INSERT INTO source_minutes AS m (source, minute, calls, outcomes, latencies)
     VALUES (:source, date_trunc('minute', now()), :calls, :outcomes, :latencies)
     ON CONFLICT (source, minute) DO UPDATE SET
       calls = m.calls + excluded.calls,
       outcomes = (SELECT jsonb_object_agg(key, total) FROM (
         SELECT key, sum(value::integer) AS total FROM (
           SELECT * FROM jsonb_each_text(m.outcomes) UNION ALL SELECT * FROM jsonb_each_text(excluded.outcomes)) AS both_counts
         GROUP BY key) AS totals),
       latencies = (SELECT array_agg(a + b ORDER BY n) FROM unnest(m.latencies, excluded.latencies)
         WITH ORDINALITY AS pairs(a, b, n))`,
  params: { source: text, calls: int4, outcomes: jsonb<CallCounts['outcomes']>(), latencies: array(int4) },
});

const addTotals = statement({
  // Sorted to avoid deadlocks.
  text: `INSERT INTO call_totals AS t (source, outcome, calls)
     SELECT :source, key, value::bigint FROM jsonb_each_text(:outcomes) ORDER BY key
     ON CONFLICT (source, outcome) DO UPDATE SET calls = t.calls + excluded.calls`,
  params: { source: text, outcomes: jsonb<CallCounts['outcomes']>() },
});

const setError = statement({
  text: 'UPDATE sources SET last_error = :lastError, last_error_at = now() WHERE name = :source',
  params: { source: text, lastError: text },
});

/** Adds this worker's counts to a source's figures of the present minute, and to its totals. */
export async function addCallCounts(db: Queryable, source: string, count: CallCounts): Promise<void> {
  const { outcomes } = count;
  await add.run(db, { source, calls: count.calls, outcomes, latencies: count.latencies });
  await addTotals.run(db, { source, outcomes });
  if (count.lastError !== null) {
    await setError.run(db, { source, lastError: count.lastError });
  }
}

/** Deletes figures that are no longer shown. @returns how many, at most `limit` */
export const deleteOldCallCounts = statement({
  text: `DELETE FROM source_minutes WHERE ctid = ANY(ARRAY(
       SELECT ctid FROM source_minutes WHERE minute < now() - interval '${keptHours} hours' LIMIT :limit FOR UPDATE SKIP LOCKED))`,
  params: { limit: int8 },
});

const sourceMinute = {
  source: text,
  minute: timestamptz,
  calls: int4,
  outcomes: jsonb<Partial<Record<OutcomeName, number>>>(),
  latencies: array(int4),
};

export type SourceMinute = RowOf<typeof sourceMinute>;

/** Lists the figures of the last 24 hours, oldest first. */
export const listSourceMinutes = statement({
  text: `SELECT ${listColumns(sourceMinute)} FROM source_minutes
     WHERE minute > :now::timestamptz - interval '24 hours' ORDER BY minute`,
  params: { now: timestamptz },
  row: sourceMinute,
});

/** Lists how many calls had each outcome, over all workers and since the database was created or upgraded. */
export const listCallTotals = statement({
  text: 'SELECT source, outcome, calls FROM call_totals ORDER BY source, outcome',
  row: { source: text, outcome: textOf<OutcomeName>(), calls: int8 },
});
