import type { Queryable } from '#server/db.ts';
import { type RowFilter, resultColumns, type SerialRow } from '../coverage-rows.ts';

const conditions: Record<Exclude<RowFilter, undefined>, string> = {
  activated: `AND state = 'done' AND activation_status = 'activated'`,
  unactivated: `AND state = 'done' AND activation_status = 'unactivated'`,
  failed: `AND state = 'failed'`,
  pending: `AND state = 'pending'`,
};

/**
 * All rows of a ticket in the order of the sheet, a batch at a time, as they were when the first was read. Opens a
 * transaction on the connection, which is of no other use meanwhile.
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
     SELECT ${resultColumns.join(', ')} FROM serials
     WHERE ticket_id = ${ticketId} ${filter ? conditions[filter] : ''} ORDER BY position`,
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
