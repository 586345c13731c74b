import { deleteMarkedRows, markRowDeletion } from '#features/tickets/server/row-deletions.service.ts';
import {
  describeTicket,
  getTicketInScope,
  getTicketOrNewest,
  lockTicket,
  type TicketRow,
} from '#features/tickets/server/tickets.service.ts';
import type { Caller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import { type Db, inTransaction } from '#server/db.ts';
import { AppError, ticketNotFound } from '#server/errors.ts';
import { dayIn } from '#shared/calendar-day.ts';
import { describePage } from '#shared/paging.ts';
import { m } from '#shared/texts/messages.js';
import { isRunning } from '#shared/ticket-status.ts';
import { describeRow, filterOf, type RowFilter, type SerialRow } from './coverage-rows.ts';
import { findBounds, listFoundRows, listRowRange, markCoverageDeleted } from './results.queries.ts';
import type { Page, RowSearches } from './search-rows.ts';

export type CoverageQuery = {
  page: number;
  limit: number;
  ticket_number?: string | undefined;
  status?: string | undefined;
  q?: string | undefined;
};

/**
 * One page of a ticket's rows in the order of the sheet; of the caller's newest ticket where none is named.
 * @throws AppError 404 for a ticket outside the caller's scope
 */
export async function listCoverage(
  context: Context,
  searches: RowSearches,
  caller: Caller,
  query: CoverageQuery,
) {
  const { db, config } = context;
  const { page, limit } = query;
  const ticket = await getTicketOrNewest(db, caller, query.ticket_number);
  if (!ticket || ticket.coverage_deleted) {
    return {
      data: [],
      pagination: describePage(page, limit, 0),
      ticket: ticket ? describeTicket(ticket) : null,
    };
  }
  const filter = filterOf(query.status);
  const place = { offset: (page - 1) * limit, limit };
  const { rows, total } = query.q
    ? await searches.find(db, ticket, filter, query.q, place)
    : await findPage(db, ticket, filter, place);
  const today = dayIn(config.APP_TIMEZONE, context.now());
  return {
    data: rows.map((row) => describeRow(row, today)),
    pagination: describePage(page, limit, total),
    ticket: describeTicket(ticket),
  };
}

async function findPage(
  db: Db,
  ticket: TicketRow,
  filter: RowFilter,
  { offset, limit }: Page,
): Promise<{ rows: SerialRow[]; total: number }> {
  const total = countKept(ticket, filter);
  if (offset >= total) return { rows: [], total };
  if (!filter) {
    const { lo, hi } = await findBounds(db, ticket.id);
    // No gap between the rows: a page is a range of positions, as fast at the end as at the beginning.
    if (lo !== null && hi !== null && hi - lo + 1 === total) {
      const first = lo + offset;
      return { rows: await listRowRange(db, ticket.id, first, first + limit - 1), total };
    }
  }
  const search = { ticketId: ticket.id, filter, searched: undefined };
  return { rows: await listFoundRows(db, search, limit, offset), total };
}

/** How many rows a filter finds, from the counters on the ticket. */
function countKept(ticket: TicketRow, filter: RowFilter): number {
  const finished = ticket.done + ticket.failed;
  const pending = ticket.serial_deleted ? 0 : ticket.total - finished;
  const counts = {
    activated: ticket.activated,
    unactivated: ticket.unactivated,
    failed: ticket.failed,
    pending,
  };
  return filter ? counts[filter] : finished + pending;
}

/**
 * Deletes the results of a ticket; its money and counts stay.
 * @throws AppError 404, 409 while the ticket is Pending or Processing
 */
export async function deleteCoverage(db: Db, caller: Caller, ticketNumber: string): Promise<void> {
  const { id } = await getTicketInScope(db, caller, ticketNumber);
  await inTransaction(db, async (tx) => {
    const ticket = await lockTicket(tx, id);
    if (!ticket) throw ticketNotFound();
    if (isRunning(ticket)) {
      throw new AppError(409, 'still_processing', (locale) => m.server_ticket_processing({}, { locale }));
    }
    await markCoverageDeleted(tx, id);
    await markRowDeletion(tx, id);
  });
  await deleteMarkedRows(db, id);
}
