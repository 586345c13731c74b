import { array, int4, int8 } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

/** The most positions in one row of `finished_rows`. A reader of places loads such a row as a whole. */
export const maxPositionsPerEntry = 1000;

/**
 * SQL expression: the place of the row of the ticket `:ticketId` that finished last. The ticket is locked before the statement
 * begins, so places have no gaps and are committed in their order.
 */
export const lastPlace =
  'coalesce((SELECT max(last_place) FROM finished_rows WHERE ticket_id = :ticketId), 0)';

const insert = statement({
  text: `INSERT INTO finished_rows (ticket_id, last_place, positions)
     SELECT :ticketId, ${lastPlace} + max(nth), array_agg(position ORDER BY nth)
     FROM unnest(:positions::integer[]) WITH ORDINALITY AS finished (position, nth)
     GROUP BY (nth - 1) / ${maxPositionsPerEntry}`,
  params: { ticketId: int8, positions: array(int4) },
});

/** Gives rows of a locked or new ticket the next places in its order of finishing. */
export async function addFinishedRows(tx: Queryable, ticketId: number, positions: number[]): Promise<void> {
  if (positions.length > 0) await insert.run(tx, { ticketId, positions });
}
