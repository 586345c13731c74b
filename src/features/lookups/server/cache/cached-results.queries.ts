import type { SerialKind } from '#features/sources/sources.contract.ts';
import { bool, int4Array, int8, nullable } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import type { PositionRange } from '../rows/batch.ts';
import type { ReusableSource } from '../write/answer-cache.queries.ts';
import type { Counts } from '../write/results.queries.ts';

/** What may be answered by the cache: by which sources, in the order in which they are asked, for how many hours, and of which kinds. */
export type ReusableAnswers = {
  sources: ReusableSource[];
  hours: number;
  /** Those that are asked of no list of our own first, which may know better. */
  kinds: SerialKind[];
};

// All that can be read is read before the ticket is locked, so that while one transaction writes to a ticket the next one
// reads. A row that was changed meanwhile is not at its place any more and counts as left. While nothing has counted a
// ticket that has just come, the planner takes it for a single row: by their order it reads rows of a range alone, by their
// place it finds them again.
const write = statement({
  name: 'write-cached-results',
  text: `WITH pending AS MATERIALIZED (
       SELECT s.place, s.position, c.* FROM unnest($2::integer[], $3::integer[]) AS range(lo, hi)
       CROSS JOIN LATERAL (
         SELECT ctid AS place, position, serial, kind, lookup FROM serials
         WHERE ticket_id = $1 AND position BETWEEN lo AND hi AND state = 'pending' ORDER BY position
       ) AS s
       LEFT JOIN LATERAL (
         SELECT * FROM coverage_cache AS k
         WHERE k.company_code = (SELECT company_code FROM tickets WHERE id = $1) AND k.source_key = ANY($4)
           AND k.serial = s.serial AND k.fetched_at > now() - $6 * interval '1 hour' AND s.kind = ANY($7::serial_kind[])
           AND s.lookup IS NULL
         ORDER BY array_position($4, k.source_key) LIMIT 1
       ) AS c ON true),
     ticket AS MATERIALIZED (
       SELECT status FROM tickets
       WHERE id = $1 AND status IN ('Pending', 'Processing') AND (SELECT count(*) FROM pending) >= 0
       FOR NO KEY UPDATE),
     written AS (
       UPDATE serials AS s SET
         state = 'done', reason = NULL, details = NULL, type = p.type, activation_status = p.activation_status,
         purchase_date = p.purchase_date, warranty_title = p.warranty_title,
         coverage_start_date = p.coverage_start_date, coverage_end_date = p.coverage_end_date,
         fetched_at = p.fetched_at, source = ($5::text[])[array_position($4, p.source_key)], attempts = 0,
         egress = p.egress, cached = true
       FROM pending AS p
       WHERE s.ctid = p.place AND p.source_key IS NOT NULL AND s.state = 'pending' AND EXISTS (SELECT FROM ticket)
       RETURNING s.position, s.activation_status, s.coverage_end_date),
     months AS (
       INSERT INTO ticket_end_months AS m (ticket_id, month, devices)
       SELECT $1, date_trunc('month', coverage_end_date)::date, count(*) FROM written
       WHERE coverage_end_date IS NOT NULL GROUP BY 2
       ON CONFLICT (ticket_id, month) DO UPDATE SET devices = m.devices + excluded.devices)
     SELECT count(*) AS done,
            count(*) FILTER (WHERE activation_status = 'activated') AS activated,
            count(*) FILTER (WHERE activation_status = 'unactivated') AS unactivated,
            CASE WHEN count(*) < (SELECT count(*) FROM pending)
              THEN ARRAY(SELECT position FROM pending EXCEPT SELECT position FROM written) ELSE '{}' END AS left,
            (SELECT status = 'Pending' FROM ticket) AS is_first
     FROM written`,
  row: {
    ...{ done: int8, activated: int8, unactivated: int8, left: int4Array },
    /** Whether nothing was done for the ticket before; null if it was cancelled or deleted. */
    is_first: nullable(bool),
  },
});

/**
 * Locks a ticket and writes the cached answers to those of its rows that nothing was asked about yet; nothing if the ticket
 * was cancelled or deleted.
 * @param ranges which rows, none twice
 * @returns how many rows were given a result, the positions of those that were left, and whether these are the first of the
 * ticket; null if it is gone
 */
export async function writeCachedResults(
  tx: Queryable,
  ticketId: number,
  ranges: PositionRange[],
  { sources, hours, kinds }: ReusableAnswers,
): Promise<{ counts: Counts; left: number[]; isFirst: boolean } | null> {
  const [keys, names] = [sources.map(({ key }) => key), sources.map(({ name }) => name)];
  const {
    left,
    is_first: isFirst,
    ...counts
  } = await write.one(tx, [
    ...[ticketId, ranges.map(({ lo }) => lo), ranges.map(({ hi }) => hi)],
    ...[keys, names, hours, kinds],
  ]);
  return isFirst === null ? null : { counts: { ...counts, failed: 0, unavailable: 0 }, left, isFirst };
}
