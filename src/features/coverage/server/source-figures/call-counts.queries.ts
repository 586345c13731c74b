import type { OutcomeName } from '#features/coverage/coverage.contract.ts';
import type { Queryable } from '#server/db.ts';
import type { CallCounts } from './call-counts.ts';

/** How long figures are kept. */
const keptHours = 25;

/** Adds this worker's counts to a source's figures of the present minute. */
export async function addCallCounts(db: Queryable, source: string, count: CallCounts): Promise<void> {
  await db.query(
    `INSERT INTO source_minutes AS m (source, minute, calls, outcomes, latencies)
     VALUES ($1, date_trunc('minute', now()), $2, $3, $4)
     ON CONFLICT (source, minute) DO UPDATE SET
       calls = m.calls + excluded.calls,
       outcomes = (SELECT jsonb_object_agg(key, total) FROM (
         SELECT key, sum(value::integer) AS total FROM (
           SELECT * FROM jsonb_each_text(m.outcomes) UNION ALL SELECT * FROM jsonb_each_text(excluded.outcomes)) AS both_counts
         GROUP BY key) AS totals),
       latencies = (SELECT array_agg(a + b ORDER BY n) FROM unnest(m.latencies, excluded.latencies)
         WITH ORDINALITY AS pairs(a, b, n))`,
    [source, count.calls, JSON.stringify(count.outcomes), count.latencies],
  );
  if (count.lastError !== null) {
    await db.query('UPDATE sources SET last_error = $2, last_error_at = now() WHERE name = $1', [
      source,
      count.lastError,
    ]);
  }
}

/** Forgets figures that nothing shows any more. */
export async function deleteOldCallCounts(db: Queryable): Promise<void> {
  await db.query("DELETE FROM source_minutes WHERE minute < now() - $1 * interval '1 hour'", [keptHours]);
}

/** A minute's calls of one source. */
export type SourceMinute = {
  source: string;
  minute: Date;
  calls: number;
  outcomes: Partial<Record<OutcomeName, number>>;
  latencies: number[];
};

/** The figures of the last 24 hours, oldest first. */
export async function listSourceMinutes(db: Queryable, now: Date): Promise<SourceMinute[]> {
  const { rows } = await db.query<SourceMinute>(
    `SELECT source, minute, calls, outcomes, latencies FROM source_minutes
     WHERE minute > $1::timestamptz - interval '24 hours' ORDER BY minute`,
    [now],
  );
  return rows;
}
