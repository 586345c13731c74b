import { listColumns } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import { clearedResult, type TicketRow, ticketRow } from '../tickets.queries.ts';

const columns = listColumns(ticketRow);

const updateTerms = statement({
  text: `UPDATE tickets SET data_count = $2, discount = $3, current_dollar_price = $4, version = version + 1
     WHERE id = $1 RETURNING ${columns}`,
  row: ticketRow,
});

/** The fields of a ticket that a superadmin may edit. */
export type TicketTerms = { data_count: number; discount: number; current_dollar_price: number };

/** Updates a locked ticket's expected count, discount and rate. */
export function updateTicketTerms(tx: Queryable, id: number, terms: TicketTerms): Promise<TicketRow> {
  return updateTerms.one(tx, [id, terms.data_count, terms.discount, terms.current_dollar_price]);
}

const cancel = statement({
  text: `UPDATE tickets SET status = 'Cancelled', finished_at = now(), waiting_for = NULL, waiting_source = NULL
     WHERE id = $1 RETURNING ${columns}`,
  row: ticketRow,
});

/** Marks a locked ticket as Cancelled. */
export function markCancelled(tx: Queryable, id: number): Promise<TicketRow> {
  return cancel.one(tx, [id]);
}

const resetRows = statement({
  text: `UPDATE serials SET ${clearedResult}
     WHERE ticket_id = $1 AND state = 'failed' AND reason = 'Source unavailable'`,
});

/** Makes rows that failed with "Source unavailable" pending again. Returns their number. */
export function resetUnavailableRows(tx: Queryable, ticketId: number): Promise<number> {
  return resetRows.run(tx, [ticketId]);
}

const retry = statement({
  text: `UPDATE tickets SET failed = failed - $2, unavailable = 0, finished_at = NULL, waiting_for = NULL,
       waiting_source = NULL,
       status = CASE WHEN started_at IS NULL THEN 'Pending' ELSE 'Processing' END::ticket_status
     WHERE id = $1 RETURNING ${columns}`,
  row: ticketRow,
});

/** Marks a locked ticket as running again, with `reset` failed rows pending again. */
export function markRetried(tx: Queryable, id: number, reset: number): Promise<TicketRow> {
  return retry.one(tx, [id, reset]);
}

const deleteTicket = statement({ text: 'DELETE FROM tickets WHERE id = $1' });

/** Deletes a locked ticket; its rows stay, see `markRowDeletion`. */
export async function deleteTicketRow(tx: Queryable, id: number): Promise<void> {
  await deleteTicket.run(tx, [id]);
}
