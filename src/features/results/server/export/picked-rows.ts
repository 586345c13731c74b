import type { Queryable } from '#server/db.ts';
import { readAtOnce } from '#server/read-batches.ts';
import { readPositions } from '#shared/positions.ts';
import type { SerialRow } from '../coverage-rows.ts';
import { narrow } from '../narrowing.ts';
import { pickPositions } from '../pick-positions.ts';
import { PositionSet } from '../position-set.ts';
import { listRowsAt } from '../results.queries.ts';
import { loadRowIndex, loadSerialRanks, type RowIndex } from '../row-index.ts';
import { type RowQuestion, searchPositions } from '../search-rows.ts';

/**
 * The rows of a ticket that are asked for, in the order asked for, a batch at a time, as they were when the first was
 * read. Opens a transaction on the connection, which is of no other use meanwhile.
 */
export function readPickedRows(
  client: Queryable,
  ticketId: number,
  question: RowQuestion,
  listed: string | undefined,
  rowsAtOnce: number,
): AsyncGenerator<SerialRow[]> {
  return readAtOnce(client, async function* () {
    const positions = await findAll(client, ticketId, question, listed);
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

async function findAll(
  client: Queryable,
  ticketId: number,
  question: RowQuestion,
  listed: string | undefined,
): Promise<Int32Array> {
  const { q, sort, today } = question;
  const index = await loadRowIndex(client, ticketId);
  const among: PositionSet[] = [];
  if (q) among.push(await searchPositions(client, ticketId, q));
  if (listed !== undefined) among.push(setOf(listed, index));
  const ranks = sort === 'serial_number' ? await loadSerialRanks(client, ticketId, index) : undefined;
  const rows = narrow(index, question, among, today);
  return pickPositions(index, rows, question, { offset: 0, limit: rows.length }, ranks);
}

/** The listed positions, as far as the ticket has such rows. */
function setOf(listed: string, { first, groupOf }: RowIndex): PositionSet {
  const positions = new PositionSet();
  const last = first + groupOf.length - 1;
  let next = first;
  // Ranges may overlap: no position is looked at twice.
  for (const [lo, hi] of readPositions(listed).sort(([a], [b]) => a - b)) {
    for (next = Math.max(lo, next); next <= Math.min(hi, last); next++) positions.add(next);
  }
  return positions;
}
