import type { SerialKind } from '#features/coverage/coverage.contract.ts';
import { int4Array, int8 } from '#server/column-types.ts';
import type { Queryable } from '#server/db.ts';
import { statement } from '#server/statement.ts';
import type { PositionRange } from '../rows/batch.ts';
import type { ReusableSource } from './answer-cache.queries.ts';
import type { Counts } from './results.queries.ts';

/** What may be answered by the cache: by which sources, in the order in which they are asked, for how many hours, and of which kinds. */
export type ReusableAnswers = {
  sources: ReusableSource[];
  hours: number;
  /** Those that are asked of no list of our own first, which may know better. */
  kinds: SerialKind[];
};

// Found again by their place, since nobody else changes rows of a locked ticket: a join by position takes long while the
// table is not analysed.
const write = statement({
  name: 'write-cached-results',
  text: `WITH pending AS MATERIALIZED (
       SELECT s.ctid AS place, s.position, c.* FROM serials AS s
       LEFT JOIN LATERAL (
         SELECT * FROM coverage_cache AS k
         WHERE k.source_key = ANY($4) AND k.serial = s.serial AND k.fetched_at > now() - $6 * interval '1 hour'
           AND s.kind = ANY($7::serial_kind[]) AND s.lookup IS NULL
         ORDER BY array_position($4, k.source_key) LIMIT 1
       ) AS c ON true
       WHERE s.ticket_id = $1 AND s.position BETWEEN $2 AND $3 AND s.state = 'pending'),
     written AS (
       UPDATE serials AS s SET
         state = 'done', reason = NULL, details = NULL, type = p.type, activation_status = p.activation_status,
         purchase_date = p.purchase_date, warranty_title = p.warranty_title,
         coverage_start_date = p.coverage_start_date, coverage_end_date = p.coverage_end_date,
         fetched_at = p.fetched_at, source = ($5::text[])[array_position($4, p.source_key)], attempts = 0,
         egress = p.egress, cached = true
       FROM pending AS p
       WHERE s.ctid = p.place AND p.source_key IS NOT NULL AND s.state = 'pending'
       RETURNING s.activation_status, s.coverage_end_date),
     months AS (
       INSERT INTO ticket_end_months AS m (ticket_id, month, devices)
       SELECT $1, date_trunc('month', coverage_end_date)::date, count(*) FROM written
       WHERE coverage_end_date IS NOT NULL GROUP BY 2
       ON CONFLICT (ticket_id, month) DO UPDATE SET devices = m.devices + excluded.devices)
     SELECT count(*) AS done,
            count(*) FILTER (WHERE activation_status = 'activated') AS activated,
            count(*) FILTER (WHERE activation_status = 'unactivated') AS unactivated,
            ARRAY(SELECT position FROM pending WHERE source_key IS NULL) AS left
     FROM written`,
  row: { done: int8, activated: int8, unactivated: int8, left: int4Array },
});

/**
 * Writes the cached answers to rows of a locked ticket that nothing was asked about yet.
 * @returns how many rows were given a result, and the positions of those that are still pending
 */
export async function writeCachedResults(
  tx: Queryable,
  { ticketId, lo, hi }: PositionRange,
  { sources, hours, kinds }: ReusableAnswers,
): Promise<{ counts: Counts; left: number[] }> {
  const [keys, names] = [sources.map(({ key }) => key), sources.map(({ name }) => name)];
  const { left, ...counts } = await write.one(tx, [ticketId, lo, hi, keys, names, hours, kinds]);
  return { counts: { ...counts, failed: 0 }, left };
}
