import { deleteMarkedRows, markRowDeletion } from '#features/tickets/server/row-deletions.service.ts';
import { recordTicket } from '#features/tickets/server/ticket-record.service.ts';
import {
  describeTicket,
  getTicketInScope,
  getTicketOrNewest,
  lockTicket,
  type TicketRow,
} from '#features/tickets/server/tickets.service.ts';
import {
  type Reading,
  readIfChanged,
  readTicketIfChanged,
} from '#features/tickets/server/unchanged.service.ts';
import { type Caller, scopeOf } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import { type Db, inTransaction } from '#server/db.ts';
import { AppError, ticketNotFound } from '#server/errors.ts';
import { dayIn } from '#shared/calendar-day.ts';
import { describePage } from '#shared/paging.ts';
import { m } from '#shared/texts/messages.js';
import { isRunning } from '#shared/ticket-status.ts';
import type { RowCounts, RowValues } from '../results.contract.ts';
import { countRows } from './count-rows.ts';
import { describeRow, type SerialRow } from './coverage-rows.ts';
import { isInSheetOrder, type Narrowing, type Sorting } from './narrowing.ts';
import { listRowPage, listRowsAt, markCoverageDeleted } from './results.queries.ts';
import type { Page, RowQuestion, RowSearches } from './search-rows.ts';

export type CoverageQuery = Narrowing &
  Sorting & {
    page: number;
    limit: number;
    ticket_number?: string | undefined;
    counts: '0' | '1';
  };

/**
 * One page of a ticket's rows, of the caller's newest ticket where none is named, unless nothing changed.
 * @param since the snapshot of an earlier answer
 * @throws AppError 404 for a ticket outside the caller's scope
 */
export function readCoverage(
  context: Context,
  searches: RowSearches,
  caller: Caller,
  query: CoverageQuery,
  since: string | null,
): Promise<Reading<Coverage>> {
  const { db } = context;
  const { ticket_number: number } = query;
  const list = (ticket: TicketRow | undefined) => listCoverage(context, searches, query, ticket);
  return number === undefined
    ? readIfChanged(db, { scope: scopeOf(caller) }, since, async () =>
        list(await getTicketOrNewest(db, caller, number)),
      )
    : readTicketIfChanged(db, caller, number, since, list);
}

type Coverage = Awaited<ReturnType<typeof listCoverage>>;

async function listCoverage(
  { db, config, now }: Context,
  searches: RowSearches,
  { page, limit, ticket_number: _, counts, ...asked }: CoverageQuery,
  ticket: TicketRow | undefined,
) {
  const today = dayIn(config.APP_TIMEZONE, now());
  const place = { offset: (page - 1) * limit, limit };
  const seen = ticket && !ticket.coverage_deleted ? ticket : undefined;
  const { rows, total } = seen
    ? await findPage(db, searches, seen, { ...asked, today }, place)
    : { rows: [], total: 0 };
  return {
    data: rows.map((row) => describeRow(row, today)),
    pagination: describePage(page, limit, total),
    ticket: ticket ? describeTicket(ticket) : null,
    ...(counts === '1' && (await countAll(db, searches, seen, today))),
  };
}

async function findPage(
  db: Db,
  searches: RowSearches,
  ticket: TicketRow,
  question: RowQuestion,
  page: Page,
): Promise<{ rows: SerialRow[]; total: number }> {
  const { offset } = page;
  if ((question.status ?? 'all') === 'all' && isInSheetOrder(question)) {
    const total = countSeen(ticket);
    if (offset >= total) return { rows: [], total };
    const rows = await listRowPage(db, ticket.id, page, total);
    if (rows.length > 0) return { rows, total };
  }
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
