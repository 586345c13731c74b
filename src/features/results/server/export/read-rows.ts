import { ticketNotFound } from '#features/tickets/server/tickets.service.ts';
import type { Queryable } from '#server/db/db.ts';
import { unavailable } from '#server/http/errors/errors.ts';
import { listMatchingPositions } from '../matching-rows.queries.ts';
import type { SerialRow } from '../result-rows.ts';
import { findDeletions, listRowsAt } from '../results.queries.ts';
import type { RowQuery } from '../row-filters.ts';

/**
 * Reads the rows of a ticket that match a query, in slices, without a transaction. Selects and sorts the rows once, at
 * the beginning; reads the values of each row with its slice.
 * @throws AppError 404 without the ticket; 503 at the end if rows were deleted during the export
 */
export async function* readRows(
  client: Queryable,
  ticketId: number,
  rowQuery: RowQuery,
  rowsAtOnce: number,
): AsyncGenerator<SerialRow[]> {
  const deleted = await findDeletions(client, ticketId);
  if (!deleted) throw ticketNotFound();
  const positions = await listMatchingPositions(client, ticketId, rowQuery, { offset: 0, limit: null });
  const read = (from: number) => {
    const slice = listRowsAt(client, ticketId, positions.slice(from, from + rowsAtOnce));
    // An error is thrown when the slice is awaited; until then it must not be an unhandled rejection.
    slice.catch(() => undefined);
    return slice;
  };
  let next = read(0);
  for (let from = 0; from < positions.length; from += rowsAtOnce) {
    const batch = await next;
    // Prefetches the next slice while the caller writes this one.
    next = read(from + rowsAtOnce);
    yield batch;
  }
  await next;
  const now = await findDeletions(client, ticketId);
  const isSame = now?.results === deleted.results && now.uploaded_rows === deleted.uploaded_rows;
  if (!isSame) throw unavailable();
}
