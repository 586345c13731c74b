import { ticketNotFound } from '#features/tickets/server/tickets.service.ts';
import type { Queryable } from '#server/db/db.ts';
import { unavailable } from '#server/http/errors/errors.ts';
import { listAskedPositions } from '../asked-rows.queries.ts';
import type { RowQuestion } from '../narrowing.ts';
import type { SerialRow } from '../result-rows.ts';
import { findDeletions, listRowsAt } from '../results.queries.ts';

/**
 * Reads the rows of a ticket that a question asks for, in slices of positions, without a transaction. The set of rows and
 * their order are those of the beginning; each row is as it was when its slice was read.
 * @throws AppError 404 without the ticket; 503 at the end if rows were deleted during the export
 */
export async function* readRows(
  client: Queryable,
  ticketId: number,
  question: RowQuestion,
  rowsAtOnce: number,
): AsyncGenerator<SerialRow[]> {
  const deleted = await findDeletions(client, ticketId);
  if (!deleted) throw ticketNotFound();
  const positions = await listAskedPositions(client, ticketId, question, { offset: 0, limit: null });
  const read = (from: number) => {
    const slice = listRowsAt(client, ticketId, positions.slice(from, from + rowsAtOnce));
    // A failure is thrown when the slice is awaited; until then it must not be an unhandled rejection.
    slice.catch(() => undefined);
    return slice;
  };
  let next = read(0);
  for (let from = 0; from < positions.length; from += rowsAtOnce) {
    const batch = await next;
    // The database reads the next slice while these rows are written.
    next = read(from + rowsAtOnce);
    yield batch;
  }
  await next;
  const now = await findDeletions(client, ticketId);
  const isSame = now?.results === deleted.results && now.uploaded_rows === deleted.uploaded_rows;
  if (!isSame) throw unavailable();
}
