import { ticketColumns, ticketRow } from '#features/tickets/server/tickets.service.ts';
import { array, bool, int4, int8 } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import type { SerialRow } from './result-rows.ts';
import { columnsOfRows, rowsOf, selectByColumn } from './rows-by-column.queries.ts';

/**
 * SQL condition: the visible rows of the ticket with an id, such as `:ticketId`. Rows marked as deleted are invisible before
 * the deletion is finished, because the statement reads the ticket's flags.
 */
export const isVisibleIn = (
  id: string,
) => `ticket_id = ${id} AND NOT (SELECT coverage_deleted FROM tickets WHERE id = ${id})
  AND (state <> 'pending' OR NOT (SELECT serial_deleted FROM tickets WHERE id = ${id}))`;

/** The visible rows of the ticket with an id, such as `:ticketId`. */
export const visibleRowsOf = (id: string) => `serials WHERE ${isVisibleIn(id)}`;

/** The visible rows of the ticket `:ticketId`. */
export const visibleRows = visibleRowsOf(':ticketId');

/** SQL expression: the value of a row for the filters `status` and `activation`, and for the counts. */
export const rowStatus = `CASE WHEN state = 'done' THEN coalesce(activation_status::text, 'unknown') ELSE state::text END`;

const listAt = statement({
  name: 'list-rows-at',
  text: selectByColumn(`${visibleRows} AND position = ANY(:positions::integer[])`),
  params: { ticketId: int8, positions: array(int4) },
  row: columnsOfRows,
});

/** Lists the rows at some positions, in the given order. Missing rows are left out. */
export async function listRowsAt(db: Queryable, ticketId: number, positions: number[]): Promise<SerialRow[]> {
  const rows = rowsOf((await listAt.one(db, { ticketId, positions })).columns);
  const byPosition = new Map(rows.map((row) => [row.position, row]));
  return positions.flatMap((position) => byPosition.get(position) ?? []);
}

/** Finds a ticket's deletions; undefined for a deleted ticket. */
export const findDeletions = statement({
  text: 'SELECT coverage_deleted AS results, serial_deleted AS uploaded_rows FROM tickets WHERE id = :ticketId',
  params: { ticketId: int8 },
  row: { results: bool, uploaded_rows: bool },
});

/** Marks a ticket's results as deleted. */
export const markResultsDeleted = statement({
  text: `UPDATE tickets SET coverage_deleted = true WHERE id = :ticketId RETURNING ${ticketColumns}`,
  params: { ticketId: int8 },
  row: ticketRow,
});
