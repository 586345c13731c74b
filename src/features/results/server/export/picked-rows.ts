import type { Queryable } from '#server/db.ts';
import { readAtOnce } from '#server/read-batches.ts';
import type { SerialRow } from '../coverage-rows.ts';
import { narrow } from '../narrowing.ts';
import { pickPositions } from '../pick-positions.ts';
import { type PositionSet, setOf } from '../position-set.ts';
import { listRowsAt } from '../results.queries.ts';
import { loadRowIndex, loadSerialRanks } from '../row-index.ts';
import { type RowQuestion, searchPositions } from '../search-rows.ts';

/**
 * The rows of a ticket that are asked for, in the order asked for, a batch at a time, as they were when the first was
 * read. Opens a transaction on the connection, which is of no other use meanwhile.
 */
export function readPickedRows(
  client: Queryable,
  ticketId: number,
  question: RowQuestion,
  rowsAtOnce: number,
): AsyncGenerator<SerialRow[]> {
  return readAtOnce(client, async function* () {
    const positions = await findAll(client, ticketId, question);
    const read = (from: number) => listRowsAt(client, ticketId, positions.subarray(from, from + rowsAtOnce));
    let next = read(0);
    for (let from = 0; from < positions.length; from += rowsAtOnce) {
      const batch = await next;
      // The database reads on while these rows are used.
      next = read(from + rowsAtOnce);
      yield batch;
    }
    await next;
  });
}

async function findAll(client: Queryable, ticketId: number, question: RowQuestion): Promise<Int32Array> {
  const { q, sort, positions: listed, today } = question;
  const index = await loadRowIndex(client, ticketId);
  const among: PositionSet[] = [];
  if (q) among.push(await searchPositions(client, ticketId, q));
  if (listed !== undefined) among.push(setOf(listed, index));
  const ranks = sort === 'serial_number' ? await loadSerialRanks(client, ticketId, index) : undefined;
  const rows = narrow(index, question, among, today);
  return pickPositions(index, rows, question, { offset: 0, limit: rows.length }, ranks);
}
