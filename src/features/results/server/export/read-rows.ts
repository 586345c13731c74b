import type { TicketRow } from '#features/tickets/server/tickets.service.ts';
import type { Queryable } from '#server/db.ts';
import { readAtOnce } from '#server/read-batches.ts';
import { listAskedPositions } from '../asked-rows.queries.ts';
import type { SerialRow } from '../coverage-rows.ts';
import { isInSheetOrder, isWhole, type RowQuestion } from '../narrowing.ts';
import { listRowsAt, listRowsBetween } from '../results.queries.ts';

/**
 * Reads the rows of a ticket that are asked for, in the order asked for, so many at once, as they were when the first was
 * read. Opens a transaction on the connection, which is of no other use meanwhile.
 */
export function readRows(
  client: Queryable,
  ticket: Pick<TicketRow, 'id' | 'total'>,
  question: RowQuestion,
  rowsAtOnce: number,
): AsyncGenerator<SerialRow[]> {
  return readAtOnce(client, async function* () {
    // Positions count the rows from 1; there may be gaps once some are deleted.
    const positions =
      isWhole(question) && isInSheetOrder(question)
        ? undefined
        : await listAskedPositions(client, ticket.id, question, { offset: 0, limit: null });
    const read = (from: number) =>
      positions
        ? listRowsAt(client, ticket.id, positions.slice(from, from + rowsAtOnce))
        : listRowsBetween(client, ticket.id, from + 1, from + rowsAtOnce);
    let next = read(0);
    for (let from = 0; from < (positions?.length ?? ticket.total); from += rowsAtOnce) {
      const batch = await next;
      // The database reads on while these rows are used.
      next = read(from + rowsAtOnce);
      yield batch;
    }
    await next;
  });
}
