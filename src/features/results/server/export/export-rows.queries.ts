import { listColumns } from '#server/column-types.ts';
import type { Queryable } from '#server/db.ts';
import { readBatches } from '#server/read-batches.ts';
import { statement } from '#server/statement.ts';
import { criteriaOf, type RowFilter, resultRow, type SerialRow } from '../coverage-rows.ts';
import { seenRows } from '../results.queries.ts';

const listRows = statement({
  text: `SELECT ${listColumns(resultRow)} FROM ${seenRows}
       AND ($2::serial_state IS NULL OR state = $2) AND ($3::activation IS NULL OR activation_status = $3)
     ORDER BY position`,
  row: resultRow,
});

/**
 * All rows of a ticket in the order of the sheet, a batch at a time, as they were when the first was read; none that
 * was deleted by then. Opens a transaction on the connection, which is of no other use meanwhile.
 */
export function readRows(
  client: Queryable,
  ticketId: number,
  filter: RowFilter,
  rowsAtOnce: number,
): AsyncGenerator<SerialRow[]> {
  return readBatches(client, listRows, [ticketId, ...criteriaOf(filter)], rowsAtOnce);
}
