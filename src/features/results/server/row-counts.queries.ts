import { date, int8, jsonb } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';
import type { RowCounts, RowValues } from '../results.contract.ts';
import { rowStatus, visibleRows } from './results.queries.ts';

/** The maximum number of values that a filter offers. */
const maxValues = 100;

const countOf = (word: string) => `coalesce(sum(size) FILTER (WHERE status = '${word}'), 0)`;
const listMostCommon = (column: string) => `(
    SELECT coalesce(jsonb_agg(jsonb_build_object('value', value, 'count', count)), '[]')
    FROM (SELECT ${column} AS value, sum(size) AS count FROM groups WHERE ${column} IS NOT NULL
          GROUP BY ${column} ORDER BY count DESC, ${column} COLLATE "C" LIMIT ${maxValues}) most_common)`;

// The rows are read once and grouped; everything else is a sum over the few groups.
/**
 * Counts the visible rows of a ticket regardless of filters, and lists the most common values of its filters.
 * @param today YYYY-MM-DD
 */
export const countVisibleRows = statement({
  text: `WITH groups AS MATERIALIZED (
       SELECT ${rowStatus} AS status, reason, type, warranty_title, count(*) AS size,
         count(*) FILTER (WHERE coverage_end_date BETWEEN :today::date AND :today::date + 30) AS ending_30,
         count(*) FILTER (WHERE coverage_end_date < :today::date) AS expired
       FROM ${visibleRows} GROUP BY 1, 2, 3, 4
     )
     SELECT jsonb_build_object('all', coalesce(sum(size), 0),
       'activated', ${countOf('activated')}, 'unactivated', ${countOf('unactivated')}, 'unknown', ${countOf('unknown')},
       'failed', ${countOf('failed')}, 'pending', ${countOf('pending')},
       'ending_30', coalesce(sum(ending_30), 0), 'expired', coalesce(sum(expired), 0),
       'reasons', (SELECT coalesce(jsonb_object_agg(reason, count), '{}') FROM (
         SELECT reason, sum(size) AS count FROM groups
         WHERE status = 'failed' AND reason IS NOT NULL GROUP BY reason) reasons)) AS counts,
       jsonb_build_object('types', ${listMostCommon('type')}, 'warranties', ${listMostCommon('warranty_title')}) AS values
     FROM groups`,
  params: { ticketId: int8, today: date },
  row: { counts: jsonb<RowCounts>(), values: jsonb<RowValues>() },
});
