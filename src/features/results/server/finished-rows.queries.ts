import { maxPositionsPerEntry } from '#features/lookups/server/lookups.service.ts';
import { int8, listColumns } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import { matchingParams, matchingRows, valuesOf } from './matching-rows.queries.ts';
import { type SerialRow, serialRow } from './result-rows.ts';
import type { DatedRowQuery } from './row-filters.ts';

/** Finds the place of the row that finished last in a ticket; 0 without one. All places up to it are committed. */
export const findLastPlace = statement({
  text: 'SELECT coalesce(max(last_place), 0) AS place FROM finished_rows WHERE ticket_id = :ticketId',
  params: { ticketId: int8 },
  row: { place: int8 },
});

// One statement reads places and rows, so that a row which finishes again in between is not listed at both of its places.
const listFinished = statement({
  text: `WITH places AS (
       SELECT last_place - cardinality(positions) + nth AS place, block.position
       FROM finished_rows CROSS JOIN unnest(positions) WITH ORDINALITY AS block (position, nth)
       WHERE ticket_id = :ticketId AND last_place > :after AND last_place < :upTo::bigint + ${maxPositionsPerEntry}
         AND last_place - cardinality(positions) + nth BETWEEN :after::bigint + 1 AND :upTo)
     SELECT ${listColumns(serialRow)}
     FROM places JOIN (
       SELECT serials.* FROM ${matchingRows} AND state <> 'pending' AND position = ANY (ARRAY(SELECT position FROM places))
     ) AS finished USING (position)
     ORDER BY place`,
  params: { ...matchingParams, after: int8, upTo: int8 },
  row: serialRow,
});

/** Lists those of the rows at the places after `after` up to `upTo` that pass the filters, in the order in which they finished. */
export function listFinishedRows(
  db: Queryable,
  ticketId: number,
  rowQuery: DatedRowQuery,
  { after, upTo }: { after: number; upTo: number },
): Promise<SerialRow[]> {
  return listFinished.all(db, { ...valuesOf(ticketId, rowQuery), after, upTo });
}
