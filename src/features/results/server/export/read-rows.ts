import { ticketNotFound } from '#features/tickets/server/tickets.service.ts';
import type { Queryable } from '#server/db/db.ts';
import { unavailable } from '#server/http/errors/errors.ts';
import { listMatchingPositions, selectNextRows } from '../matching-rows.queries.ts';
import type { SerialRow } from '../result-rows.ts';
import { findDeletions, listRowsAt } from '../results.queries.ts';
import { type DatedRowQuery, isInSheetOrder } from '../row-filters.ts';
import { rowsOf } from '../rows-by-column.queries.ts';

/**
 * Reads the rows of a ticket that match a query, in slices, without a transaction. In the order of the sheet, selects
 * the rows of each slice when it is read; sorted by a column, selects and sorts them once at the beginning.
 * @throws AppError 404 without the ticket; 503 at the end if rows were deleted during the export
 */
export async function* readRows(
  client: Queryable,
  ticketId: number,
  rowQuery: DatedRowQuery,
  rowsAtOnce: number,
): AsyncGenerator<SerialRow[]> {
  const deleted = await findDeletions.first(client, { ticketId });
  if (!deleted) throw ticketNotFound();
  const read = isInSheetOrder(rowQuery) ? readInSheetOrder : readSorted;
  yield* read(client, ticketId, rowQuery, rowsAtOnce);
  const now = await findDeletions.first(client, { ticketId });
  const isSame = now?.results === deleted.results && now.uploaded_rows === deleted.uploaded_rows;
  if (!isSame) throw unavailable();
}

async function* readInSheetOrder(
  client: Queryable,
  ticketId: number,
  rowQuery: DatedRowQuery,
  rowsAtOnce: number,
): AsyncGenerator<SerialRow[]> {
  const read = (after: number) =>
    prefetch(selectNextRows(client, ticketId, rowQuery, { after, limit: rowsAtOnce }));
  let next = read(0);
  for (;;) {
    const { columns, last } = await next;
    if (last === null) return;
    // Sent before this slice is parsed, so that PostgreSQL and this thread work at the same time.
    next = read(last);
    yield rowsOf(columns);
  }
}

async function* readSorted(
  client: Queryable,
  ticketId: number,
  rowQuery: DatedRowQuery,
  rowsAtOnce: number,
): AsyncGenerator<SerialRow[]> {
  const positions = await listMatchingPositions(client, ticketId, rowQuery, { offset: 0, limit: null });
  const read = (from: number) =>
    prefetch(listRowsAt(client, ticketId, positions.slice(from, from + rowsAtOnce)));
  let next = read(0);
  for (let from = 0; from < positions.length; from += rowsAtOnce) {
    const batch = await next;
    next = read(from + rowsAtOnce);
    yield batch;
  }
  await next;
}

/** Lets a slice be read while the caller writes the one before. Its error is thrown when the slice is awaited. */
function prefetch<T>(slice: Promise<T>): Promise<T> {
  slice.catch(() => undefined);
  return slice;
}
