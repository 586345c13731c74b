import { readBatches } from '#server/db/bulk/read-batches.ts';
import { int4, int8, type RowOf } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const place = { sheet_row: int4, position: int4 };
/** A row of the sheet, and the position of a result that belongs to it. */
export type Place = RowOf<typeof place>;

const listPlaces = statement({
  text: `SELECT sheet_row, position FROM serials WHERE ticket_id = :ticketId
     UNION ALL
     SELECT d.sheet_row, s.position FROM duplicates d
     JOIN serials s ON s.ticket_id = d.ticket_id AND s.sheet_row = d.first_row AND s.serial = d.serial
     WHERE d.ticket_id = :ticketId
     ORDER BY sheet_row, position`,
  params: { ticketId: int8 },
  row: place,
});

/** Reads the results of each row of a sheet, in the order of the sheet. A duplicate has the result of the first row. */
export function readPlaces(client: Queryable, ticketId: number, rowsAtOnce: number): AsyncGenerator<Place[]> {
  return readBatches(client, listPlaces, { ticketId }, rowsAtOnce);
}
