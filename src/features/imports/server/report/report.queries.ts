import { readBatches } from '#server/db/bulk/read-batches.ts';
import { int4, int8, nullable, type RowOf, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const reportRow = { sheet_row: int4, value: text, details: nullable(text), first_row: nullable(int4) };
/** A duplicate (with `first_row`) or an invalid cell (with `details`). */
export type ReportRow = RowOf<typeof reportRow>;

// Only a cell without an identifier has no kind. Deleting the ticket's rows does not delete these.
const listReport = statement({
  text: `SELECT sheet_row, serial AS value, details, NULL::integer AS first_row
     FROM serials WHERE ticket_id = :ticketId AND kind IS NULL
     UNION ALL
     SELECT sheet_row, serial, NULL, first_row FROM duplicates WHERE ticket_id = :ticketId
     ORDER BY sheet_row`,
  params: { ticketId: int8 },
  row: reportRow,
});

/**
 * Reads all invalid cells and duplicates of an import in the order of the sheet, in batches. All are as they were at the
 * first batch.
 */
export function readReport(
  client: Queryable,
  ticketId: number,
  rowsAtOnce: number,
): AsyncGenerator<ReportRow[]> {
  return readBatches(client, listReport, { ticketId }, rowsAtOnce);
}
