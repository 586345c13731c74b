import { ticketColumns, ticketRow } from '#features/tickets/server/tickets.service.ts';
import { int4, int8, text } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/** Lists the rows of a ticket from position `lo` to `hi`, both included, in the order of the sheet; none once deleted. */
export const listUploadedRowsBetween = statement({
  name: 'list-uploaded-rows',
  text: `SELECT position, sheet_row, serial FROM serials
     WHERE ticket_id = :ticketId AND position BETWEEN :lo AND :hi
       AND NOT (SELECT serial_deleted FROM tickets WHERE id = :ticketId)
     ORDER BY position`,
  params: { ticketId: int8, lo: int4, hi: int4 },
  row: { position: int4, sheet_row: int4, serial: text },
});

/** Marks the uploaded rows of a locked ticket as deleted, which cancels a running ticket. */
export const markUploadedRowsDeleted = statement({
  text: `UPDATE tickets SET serial_deleted = true, waiting_for = NULL, waiting_source = NULL,
       finished_at = CASE WHEN status IN ('Pending', 'Processing') THEN now() ELSE finished_at END,
       status = CASE WHEN status IN ('Pending', 'Processing') THEN 'Cancelled' ELSE status END
     WHERE id = :ticketId RETURNING ${ticketColumns}`,
  params: { ticketId: int8 },
  row: ticketRow,
});
