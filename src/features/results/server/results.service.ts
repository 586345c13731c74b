import type { z } from 'zod';
import { deleteMarkedRows, markRowDeletion } from '#features/tickets/server/row-deletions.service.ts';
import { recordTicket } from '#features/tickets/server/ticket-record.service.ts';
import {
  describeTicket,
  findNewestTicket,
  getTicketInScope,
  lockTicket,
  type TicketRow,
} from '#features/tickets/server/tickets.service.ts';
import { type Caller, scopeOf } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import { type Db, inTransaction } from '#server/db.ts';
import { AppError, ticketNotFound } from '#server/errors.ts';
import { dayIn } from '#shared/calendar-day.ts';
import { describePage } from '#shared/describe-page.ts';
import { m } from '#shared/texts/messages.js';
import { isRunning } from '#shared/ticket-status.ts';
import type { CoverageRow, listCoverage, RowCounts, RowValues } from '../results.contract.ts';
import { countRows } from './count-rows.ts';
import { describeRow, type SerialRow } from './coverage-rows.ts';
import { isInSheetOrder, type Narrowing, type Sorting } from './narrowing.ts';
import { findTicketWithRows, listRowsAt, markCoverageDeleted } from './results.queries.ts';
import type { Page, RowQuestion, RowSearches } from './search-rows.ts';

export type CoverageQuery = Narrowing &
  Sorting & {
    page: number;
    limit: number;
    ticket_number?: string | undefined;
    counts: '0' | '1';
  };

type Coverage = z.infer<typeof listCoverage.response>;

/**
 * One page of a ticket's rows, of the caller's newest ticket where none is named.
 * @throws AppError 404 for a ticket outside the caller's scope
 */
export async function readCoverage(
  { db, config, now }: Context,
  searches: RowSearches,
  caller: Caller,
  { page, limit, ticket_number: named, counts, ...asked }: CoverageQuery,
): Promise<Coverage> {
  const scope = scopeOf(caller);
  const today = dayIn(config.APP_TIMEZONE, now());
  const place = { offset: (page - 1) * limit, limit };
  const isPlain = (asked.status ?? 'all') === 'all' && isInSheetOrder(asked);
  const number = named === undefined ? (await findNewestTicket(db, scope))?.ticket_number : Number(named);
  const ticket =
    number === undefined
      ? undefined
      : await findTicketWithRows(db, { number, scope }, isPlain ? place : { offset: 0, limit: 0 }, today);
  if (named !== undefined && !ticket) throw ticketNotFound();

  const seen = ticket?.coverage_deleted ? undefined : ticket;
  const total = seen && isPlain ? countSeen(seen) : 0;
  const isRead = !seen || (isPlain && (seen.rows !== null || place.offset >= total));
  const found = isRead ? { rows: [], total } : await findRows(db, searches, seen, { ...asked, today }, place);
  const read: CoverageRow[] = isRead ? (seen?.rows ?? []).map((row) => JSON.parse(row)) : [];
  return {
    data: [...read, ...found.rows.map((row) => describeRow(row, today))],
    pagination: describePage(page, limit, found.total),
    ticket: ticket ? describeTicket(ticket) : null,
    ...(counts === '1' && (await countAll(db, searches, seen, today))),
  };
}

async function findRows(
  db: Db,
  searches: RowSearches,
  ticket: TicketRow,
  question: RowQuestion,
  page: Page,
): Promise<{ rows: SerialRow[]; total: number }> {
  const { positions, total } = await searches.find(db, ticket, question, page);
  return { rows: positions.length > 0 ? await listRowsAt(db, ticket.id, positions) : [], total };
}

/** How many rows can be seen, from the counters on the ticket. */
function countSeen(ticket: TicketRow): number {
  return ticket.serial_deleted ? ticket.done + ticket.failed : ticket.total;
}

/** Counts of all rows of a ticket, and what they can be narrowed by; zeros where there is none, or its results were deleted. */
async function countAll(
  db: Db,
  searches: RowSearches,
  ticket: TicketRow | undefined,
  today: string,
): Promise<{ counts: RowCounts; values: RowValues }> {
  const index = ticket && (await searches.index(db, ticket));
  return countRows(index, today);
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
    await recordTicket(tx, 'results.delete', ticket, (await lockTicket(tx, id)) ?? null);
  });
  await deleteMarkedRows(db, id);
}
