import { listColumns, nullable, text } from '#server/column-types.ts';
import type { Queryable } from '#server/db.ts';
import { readAtOnce, readBatches } from '#server/read-batches.ts';
import { statement } from '#server/statement.ts';
import { criteriaOf, type RowFilter, resultRow, type SerialRow } from '../coverage-rows.ts';
import { findBounds, seenRows, selectByColumn } from '../results.queries.ts';
import { writeColumns } from '../row-columns.ts';

const askedRows = `${seenRows}
  AND ($2::serial_state IS NULL OR state = $2) AND ($3::activation IS NULL OR activation_status = $3)`;

const listRows = statement({
  text: `SELECT ${listColumns(resultRow)} FROM ${askedRows} ORDER BY position`,
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

const listByColumn = statement({
  name: 'list-rows-by-column',
  text: selectByColumn(`${askedRows} AND position BETWEEN $4 AND $5`),
  row: { columns: nullable(text) },
});

/** Some rows as the lines of a JSON array: how many, and their text. */
export type JsonRows = { length: number; json: string };

/**
 * The same rows, each as `describeRow` has it; to `pg` a batch is one value. Opens a transaction on the connection, which is
 * of no other use meanwhile.
 */
export function readJsonRows(
  client: Queryable,
  ticketId: number,
  filter: RowFilter,
  today: string,
  positionsAtOnce: number,
): AsyncGenerator<JsonRows> {
  return readAtOnce(client, async function* () {
    const { lo, hi } = await findBounds(client, ticketId);
    if (lo === null || hi === null) return;
    const values = [ticketId, ...criteriaOf(filter)];
    const read = (from: number) => listByColumn.one(client, [...values, from, from + positionsAtOnce - 1]);
    let next = read(lo);
    for (let from = lo; from <= hi; from += positionsAtOnce) {
      const { columns } = await next;
      // The database reads on while these rows are used.
      next = read(from + positionsAtOnce);
      if (columns === null) continue;
      const lines = writeColumns(columns, today);
      yield { length: lines.length, json: lines.join(',\n') };
    }
    await next;
  });
}
