import { listColumns, text } from '#server/column-types.ts';
import type { Queryable } from '#server/db.ts';
import { readBatches } from '#server/read-batches.ts';
import { statement } from '#server/statement.ts';
import { criteriaOf, type RowFilter, resultRow, type SerialRow } from '../coverage-rows.ts';
import { seenRows } from '../results.queries.ts';
import { rowAsJson } from '../row-as-json.ts';

const askedRows = `${seenRows}
  AND ($2::serial_state IS NULL OR state = $2) AND ($3::activation IS NULL OR activation_status = $3)
  ORDER BY position`;

const listRows = statement({
  text: `SELECT ${listColumns(resultRow)} FROM ${askedRows}`,
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

const listJson = statement({
  text: `SELECT ${rowAsJson('$4::date')} AS json FROM ${askedRows}`,
  row: { json: text },
});

/** The same rows, each as `describeRow` has it, written as JSON by the database. */
export async function* readJsonRows(
  client: Queryable,
  ticketId: number,
  filter: RowFilter,
  today: string,
  rowsAtOnce: number,
): AsyncGenerator<string[]> {
  const values = [ticketId, ...criteriaOf(filter), today];
  for await (const rows of readBatches(client, listJson, values, rowsAtOnce))
    yield rows.map(({ json }) => json);
}
