import type { Queryable } from '#server/db.ts';
import { conditionOf, type RowFilter, resultColumns, type SerialRow, seenRows } from '../coverage-rows.ts';

/**
 * All rows of a ticket in the order of the sheet, a batch at a time, as they were when the first was read; none that
 * was deleted by then. Opens a transaction on the connection, which is of no other use meanwhile.
 */
export async function* readRows(
  client: Queryable,
  ticketId: number,
  filter: RowFilter,
  rowsAtOnce: number,
): AsyncGenerator<SerialRow[]> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await client.query(
    `DECLARE export NO SCROLL CURSOR FOR
     SELECT ${resultColumns.join(', ')} FROM ${seenRows} ${conditionOf(filter)} ORDER BY position`,
    [ticketId],
  );
  const fetch = () => client.query<SerialRow>(`FETCH ${rowsAtOnce} FROM export`);
  let next = fetch();
  for (;;) {
    const { rows } = await next;
    if (rows.length === 0) break;
    // The database reads on while these rows are written.
    next = fetch();
    yield rows;
  }
  await client.query('COMMIT');
}
