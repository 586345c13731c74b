import { type TicketRow, ticketRow } from '#features/tickets/server/tickets.service.ts';
import { int4, listColumns, type RowOf, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const listRange = statement({
  name: 'list-uploaded-rows',
  text: `SELECT position, sheet_row, serial FROM serials
     WHERE ticket_id = $1 AND position BETWEEN $2 AND $3
       AND NOT (SELECT serial_deleted FROM tickets WHERE id = $1)
     ORDER BY position`,
  row: { position: int4, sheet_row: int4, serial: text },
});

export type UploadedRow = RowOf<typeof listRange.row>;

/** Lists the rows of a ticket from position `lo` to `hi`, both included, in the order of the sheet; none once deleted. */
export function listUploadedRowsBetween(
  db: Queryable,
  ticketId: number,
  lo: number,
  hi: number,
): Promise<UploadedRow[]> {
  return listRange.all(db, [ticketId, lo, hi]);
}

const markDeleted = statement({
  text: `UPDATE tickets SET serial_deleted = true, waiting_for = NULL, waiting_source = NULL,
       finished_at = CASE WHEN status IN ('Pending', 'Processing') THEN now() ELSE finished_at END,
       status = CASE WHEN status IN ('Pending', 'Processing') THEN 'Cancelled' ELSE status END
     WHERE id = $1 RETURNING ${listColumns(ticketRow)}`,
  row: ticketRow,
});

/** Marks the uploaded rows of a locked ticket as deleted, which cancels a running ticket. */
export function markUploadedRowsDeleted(tx: Queryable, ticketId: number): Promise<TicketRow> {
  return markDeleted.one(tx, [ticketId]);
}
