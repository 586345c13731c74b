import { ticketRow } from '#features/tickets/server/tickets.service.ts';
import { int4, listColumns, text } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/** Lists the rows of a ticket from position `lo` to `hi`, both included, in the order of the sheet; none once deleted. */
export const listUploadedRowsBetween = statement({
  name: 'list-uploaded-rows',
  text: `SELECT position, sheet_row, serial FROM serials
     WHERE ticket_id = $1 AND position BETWEEN $2 AND $3
       AND NOT (SELECT serial_deleted FROM tickets WHERE id = $1)
     ORDER BY position`,
  row: { position: int4, sheet_row: int4, serial: text },
}).allWith<[ticketId: number, lo: number, hi: number]>();

/** Marks the uploaded rows of a locked ticket as deleted, which cancels a running ticket. */
export const markUploadedRowsDeleted = statement({
  text: `UPDATE tickets SET serial_deleted = true, waiting_for = NULL, waiting_source = NULL,
       finished_at = CASE WHEN status IN ('Pending', 'Processing') THEN now() ELSE finished_at END,
       status = CASE WHEN status IN ('Pending', 'Processing') THEN 'Cancelled' ELSE status END
     WHERE id = $1 RETURNING ${listColumns(ticketRow)}`,
  row: ticketRow,
}).oneWith<[ticketId: number]>();
