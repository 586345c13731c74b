import { int4, int8, notNull, nullable, text } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';
import { clearedResult, fromStandingInvoice, ticketColumns, ticketRow } from '../tickets.queries.ts';

export const updateTicketTerms = statement({
  text: `UPDATE tickets SET data_count = :data_count, discount = :discount,
       current_dollar_price = :current_dollar_price, version = version + 1
     WHERE id = :id RETURNING ${ticketColumns}`,
  params: { id: int8, data_count: int4, discount: int4, current_dollar_price: int4 },
  row: ticketRow,
});

/** The fields of a ticket that a superadmin may edit. */
export type TicketTerms = { data_count: number; discount: number; current_dollar_price: number };

export const markCancelled = statement({
  text: `UPDATE tickets SET status = 'Cancelled', finished_at = now(), waiting_for = NULL, waiting_source = NULL
     WHERE id = :id RETURNING ${ticketColumns}`,
  params: { id: int8 },
  row: ticketRow,
});

/**
 * Makes rows that failed with "Source unavailable" pending again, and empties their places in the ticket's order of
 * finishing. Returns their number.
 */
export const resetUnavailableRows = statement({
  text: `WITH reset AS (
       UPDATE serials SET ${clearedResult}
       WHERE ticket_id = :ticketId AND state = 'failed' AND reason = 'Source unavailable'
       RETURNING position),
     emptied AS (
       SELECT f.last_place, array_agg(CASE WHEN reset.position IS NULL THEN place.position END ORDER BY place.nth) AS positions
       FROM finished_rows AS f CROSS JOIN unnest(f.positions) WITH ORDINALITY AS place (position, nth)
       LEFT JOIN reset ON reset.position = place.position
       WHERE f.ticket_id = :ticketId
       GROUP BY f.last_place HAVING count(reset.position) > 0),
     places AS (
       UPDATE finished_rows AS f SET positions = emptied.positions FROM emptied
       WHERE f.ticket_id = :ticketId AND f.last_place = emptied.last_place)
     SELECT count(*) FROM reset`,
  params: { ticketId: int8 },
  row: { count: int8 },
});

/** Marks a locked ticket as running again, with `reset` failed rows pending again. */
export const markRetried = statement({
  text: `UPDATE tickets SET failed = failed - :reset, unavailable = 0, finished_at = NULL, waiting_for = NULL,
       waiting_source = NULL, waiting_since = NULL,
       status = CASE WHEN started_at IS NULL THEN 'Pending' ELSE 'Processing' END::ticket_status
     WHERE id = :id RETURNING ${ticketColumns}`,
  params: { id: int8, reset: int4 },
  row: ticketRow,
});

/** Deletes a locked ticket; its rows stay, see `markRowDeletion`. */
export const deleteTicketRow = statement({
  text: 'DELETE FROM tickets WHERE id = :id',
  params: { id: int8 },
});

/** Finds the standing invoice of a locked ticket. `number`: null for a draft. `month`: as `YYYY-MM`. */
export const findStandingInvoice = statement({
  text: `SELECT i.number, to_char(i.month, 'YYYY-MM') AS month ${fromStandingInvoice(':ticketNumber')}`,
  params: { ticketNumber: int8 },
  row: { number: nullable(text), month: notNull(text) },
});
