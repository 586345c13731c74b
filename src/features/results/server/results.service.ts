import { withFields } from '#features/devices/server/devices.service.ts';
import { requireKnownFilter } from '#features/devices/server/fields/fields.service.ts';
import { withLockedTicket } from '#features/tickets/server/editing/ticket-edits.service.ts';
import {
  deleteMarkedRows,
  markRowDeletion,
} from '#features/tickets/server/row-deletions/row-deletions.service.ts';
import { recordTicket } from '#features/tickets/server/ticket-record.service.ts';
import {
  describeTicket,
  findTicketOrNewest,
  hasEndedBefore,
  requireTicketInScope,
  type TicketRow,
} from '#features/tickets/server/tickets.service.ts';
import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import type { CountCache } from '#server/concurrency/count-cache.ts';
import type { Db } from '#server/db/db.ts';
import { type Caller, scopeOf } from '#server/http/caller.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { dayIn } from '#shared/calendar-day.ts';
import { describePage } from '#shared/describe-page.ts';
import type { Answer, Query } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import type { RowCounts, RowValues, listResults as resultsEndpoint } from '../results.contract.ts';
import { findLastPlace, listFinishedRows } from './finished-rows.queries.ts';
import { countMatchingRows, listMatchingPositions } from './matching-rows.queries.ts';
import { describeRow, type SerialRow } from './result-rows.ts';
import { listRowsAt, markResultsDeleted } from './results.queries.ts';
import { countVisibleRows } from './row-counts.queries.ts';
import {
  type DatedRowQuery,
  filterValues,
  hasNoFilter,
  isInSheetOrder,
  type RowQuery,
} from './row-filters.ts';
import { versionOf } from './ticket-version.ts';

/**
 * Lists one page of a ticket's rows, or with a cursor the rows that finished after it. Without a number, the ticket is
 * the caller's newest.
 * @throws AppError 400 for an unknown own column, 404 for a ticket outside the caller's scope
 */
export async function listResults(
  { db, config, now }: Context,
  cache: CountCache,
  caller: Caller,
  { page, limit, ticket_number, counts, cursor, ...filters }: Query<typeof resultsEndpoint>,
): Promise<Answer<typeof resultsEndpoint>> {
  const rowQuery = { ...filters, today: dayIn(config.APP_TIMEZONE, now()) };
  const ticket = await findTicketOrNewest(db, caller, ticket_number);
  await requireKnownFilter(db, ticket?.company_code ?? scopeOf(caller), filters);
  const other = await findComparedTicket(db, caller, filters);
  const visible = ticket?.coverage_deleted ? undefined : ticket;
  const [listed, total, counted] = await Promise.all([
    cursor === undefined
      ? listPage(db, visible, rowQuery, { offset: (page - 1) * limit, limit })
      : listAfter(db, visible, rowQuery, { cursor, limit }),
    visible ? countRows(db, cache, visible, rowQuery, other) : 0,
    counts === '1' ? countAll(db, cache, visible, rowQuery.today) : undefined,
  ]);
  const rows = await withFields(db, ticket?.company_code ?? '', listed.rows);
  return {
    data: rows.map((row) => describeRow(row, rowQuery.today)),
    pagination: describePage(cursor === undefined ? page : 1, limit, total),
    ticket: ticket ? describeTicket(ticket, caller) : null,
    ...(listed.next !== undefined && { next_cursor: listed.next }),
    ...counted,
  };
}

type RowPage = { rows: SerialRow[]; next?: number | null };

async function listPage(
  db: Db,
  ticket: TicketRow | undefined,
  rowQuery: DatedRowQuery,
  page: { offset: number; limit: number },
): Promise<RowPage> {
  return { rows: ticket ? await listRows(db, ticket, rowQuery, page) : [] };
}

/**
 * Lists rows in the order in which they finished.
 * @param ticket read before its rows, so that an ended ticket gets no more of them
 * @returns the rows after the cursor, and the next cursor: null at the end of an ended ticket
 */
async function listAfter(
  db: Db,
  ticket: TicketRow | undefined,
  rowQuery: DatedRowQuery,
  { cursor, limit }: { cursor: number; limit: number },
): Promise<RowPage> {
  if (!ticket) return { rows: [], next: null };
  const { place: last } = await findLastPlace.one(db, { ticketId: ticket.id });
  const upTo = Math.min(cursor + limit, last);
  const rows = upTo > cursor ? await listFinishedRows(db, ticket.id, rowQuery, { after: cursor, upTo }) : [];
  return { rows, next: upTo === last && !isRunning(ticket) ? null : upTo };
}

async function listRows(
  db: Db,
  ticket: TicketRow,
  rowQuery: DatedRowQuery,
  { offset, limit }: { offset: number; limit: number },
): Promise<SerialRow[]> {
  // Positions have no gaps until rows are deleted, so the last page is as fast as the first.
  if (hasNoFilter(rowQuery) && isInSheetOrder(rowQuery) && !ticket.serial_deleted) {
    const length = Math.max(0, Math.min(limit, ticket.total - offset));
    const positions = Array.from({ length }, (_, index) => offset + index + 1);
    return listRowsAt(db, ticket.id, positions);
  }
  return listRowsAt(db, ticket.id, await listMatchingPositions(db, ticket.id, rowQuery, { offset, limit }));
}

async function countRows(
  db: Db,
  cache: CountCache,
  ticket: TicketRow,
  rowQuery: DatedRowQuery,
  other: TicketRow | undefined,
): Promise<number> {
  if (hasNoFilter(rowQuery)) return ticket.serial_deleted ? ticket.done + ticket.failed : ticket.total;
  // Values of own columns change without the ticket.
  if (rowQuery.field) return countMatchingRows(db, ticket.id, rowQuery);
  const versions = [ticket, other].map((row) => row && versionOf(row));
  return cache.get(['matching', versions, rowQuery.today, filterValues(rowQuery)], () =>
    countMatchingRows(db, ticket.id, rowQuery),
  );
}

/**
 * Finds the ticket that rows are compared with; undefined without one.
 * @throws AppError 404 outside the caller's scope
 */
export async function findComparedTicket(
  db: Db,
  caller: Caller,
  { compared_with }: RowQuery,
): Promise<TicketRow | undefined> {
  return compared_with === undefined ? undefined : requireTicketInScope(db, caller, compared_with);
}

/** Counts all visible rows of a ticket and the values of its filters; zeros without a ticket. */
export async function countAll(
  db: Db,
  cache: CountCache,
  ticket: TicketRow | undefined,
  today: string,
): Promise<{ counts: RowCounts; values: RowValues }> {
  // No ticket has the id 0.
  return cache.get(['all', ticket && versionOf(ticket), today], () =>
    countVisibleRows.one(db, { ticketId: ticket?.id ?? 0, today }),
  );
}

/**
 * Deletes the results of a ticket. Its amounts and counts stay.
 * @param forgetsDevices also forgets the devices that no other ticket of the company had
 * @throws AppError 404, 409 while the ticket is Pending or Processing
 */
export async function deleteResults(
  context: Pick<Context, 'db' | 'log'>,
  caller: Caller,
  ticketNumber: string,
  forgetsDevices = false,
): Promise<void> {
  const { id } = await requireTicketInScope(context.db, caller, ticketNumber);
  await withLockedTicket(context.db, caller, id, async (tx, ticket) => {
    if (isRunning(ticket)) {
      throw new AppError(409, 'still_processing', m.server_ticket_processing);
    }
    const changed = await markResultsDeleted.one(tx, { ticketId: id });
    await markRowDeletion.run(tx, { ticketId: id, forgetsDevices });
    await recordTicket(tx, 'results.delete', ticket, changed);
  });
  await deleteMarkedRows(context, id);
}

/**
 * Deletes the results of a ticket that ended before an instant, as `deleteResults` does. Does nothing for a ticket that was
 * retried since it was listed.
 */
export async function deleteOldResults(
  context: Pick<Context, 'db' | 'log'>,
  id: number,
  endedBefore: Date,
): Promise<void> {
  const isDeleted = await withLockedTicket(context.db, null, id, async (tx, ticket) => {
    if (!hasEndedBefore(ticket, endedBefore) || ticket.coverage_deleted) return false;
    const changed = await markResultsDeleted.one(tx, { ticketId: id });
    await markRowDeletion.run(tx, { ticketId: id, forgetsDevices: false });
    await recordTicket(tx, 'results.delete', ticket, changed);
    return true;
  });
  if (isDeleted) await deleteMarkedRows(context, id);
}
