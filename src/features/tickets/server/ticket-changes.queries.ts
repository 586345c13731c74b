import type { Queryable } from '#server/db.ts';
import type { TicketRow } from './tickets.queries.ts';

/** Changes a ticket's expected count, discount and rate; undefined when it is not there. */
export async function updateTicketTerms(
  tx: Queryable,
  id: number,
  terms: { data_count: number; discount: number; current_dollar_price: number },
): Promise<TicketRow | undefined> {
  const { rows } = await tx.query<TicketRow>(
    'UPDATE tickets SET data_count = $2, discount = $3, current_dollar_price = $4 WHERE id = $1 RETURNING *',
    [id, terms.data_count, terms.discount, terms.current_dollar_price],
  );
  return rows[0];
}

/** Marks a locked ticket Cancelled: it has ended and waits for nothing. */
export async function markCancelled(tx: Queryable, id: number): Promise<TicketRow> {
  const { rows } = await tx.query<TicketRow>(
    `UPDATE tickets SET status = 'Cancelled', finished_at = now(), waiting_for = NULL, waiting_source = NULL
     WHERE id = $1 RETURNING *`,
    [id],
  );
  return onlyRow(rows);
}

/** Makes rows pending again whose source was unavailable; how many. */
export async function reopenUnavailableRows(tx: Queryable, ticketId: number): Promise<number> {
  const { rowCount } = await tx.query(
    `UPDATE serials SET state = 'pending', reason = NULL, details = NULL, type = NULL, activation_status = NULL,
       purchase_date = NULL, warranty_title = NULL, coverage_start_date = NULL, coverage_end_date = NULL,
       fetched_at = NULL, source = NULL, attempts = 0, egress = NULL, cached = NULL, lookup = NULL
     WHERE ticket_id = $1 AND state = 'failed' AND reason = 'Source unavailable'`,
    [ticketId],
  );
  return rowCount ?? 0;
}

/** Lets a locked ticket go on; `reopened` of its failed rows are pending again. */
export async function markReopened(tx: Queryable, id: number, reopened: number): Promise<TicketRow> {
  const { rows } = await tx.query<TicketRow>(
    `UPDATE tickets SET failed = failed - $2, finished_at = NULL, waiting_for = NULL, waiting_source = NULL,
       status = CASE WHEN started_at IS NULL THEN 'Pending' ELSE 'Processing' END::ticket_status
     WHERE id = $1 RETURNING *`,
    [id, reopened],
  );
  return onlyRow(rows);
}

/** Deletes a locked ticket with all its rows. */
export async function deleteTicketWithRows(tx: Queryable, id: number): Promise<void> {
  await tx.query('DELETE FROM serials WHERE ticket_id = $1', [id]);
  await tx.query('DELETE FROM duplicates WHERE ticket_id = $1', [id]);
  await tx.query('DELETE FROM tickets WHERE id = $1', [id]);
}

function onlyRow(rows: TicketRow[]): TicketRow {
  const [row] = rows;
  if (!row) throw new Error('a locked ticket was not there');
  return row;
}
