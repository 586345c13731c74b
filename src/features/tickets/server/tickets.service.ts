import { isRunning, type TicketStatus } from '#features/tickets/ticket-status.shared.ts';
import type { Db } from '#server/db/db.ts';
import { type Caller, scopeOf } from '#server/http/caller.ts';
import { AppError } from '#server/http/errors/errors.ts';
import { describePage } from '#shared/describe-page.ts';
import type { Paging } from '#shared/paging.ts';
import { m } from '#shared/texts/messages.js';
import type { Ticket, TicketMatch } from '../tickets.contract.ts';
import { listTicketHistory } from './history/ticket-history.queries.ts';
import { computeMoney } from './ticket-money.ts';
import {
  countTicketsByStatus,
  findNewestTicket,
  findTicketByNumber,
  insertTicket,
  listTicketPage,
  lockTicket,
  type TicketRow,
  takeTicketId,
  ticketColumns,
  ticketRow,
  type UploadedTicketRow,
} from './tickets.queries.ts';

export {
  computeMoney,
  findTicketByNumber,
  insertTicket,
  lockTicket,
  type TicketRow,
  takeTicketId,
  ticketColumns,
  ticketRow,
  type UploadedTicketRow,
};

/** Returns the error for a ticket that does not exist or belongs to another company: 404. */
export function ticketNotFound(): AppError {
  return new AppError(404, 'ticket_not_found', m.server_ticket_not_found);
}

/** Returns whether a ticket is not running and ended before an instant. */
export function hasEndedBefore(ticket: TicketRow, instant: Date): boolean {
  return !isRunning(ticket) && ticket.finished_at !== null && ticket.finished_at < instant;
}

/** Counts a ticket's rows. `total` is the expected count until rows are imported; `percent` is whole percent. */
export function countRows(row: Pick<TicketRow, 'status' | 'data_count' | 'total' | 'done' | 'failed'>) {
  const total = row.total > 0 ? row.total : row.data_count;
  const finished = row.done + row.failed;
  const percent =
    row.status === 'Completed' ? 100 : Math.min(99, Math.floor((finished * 100) / Math.max(total, 1)));
  return { total, done: row.done, failed: row.failed, remaining: total - finished, percent };
}

/**
 * Describes a ticket.
 * @param caller null for the product itself. Only superadmins see the invoice: users learn of no draft.
 */
export function describeTicket(row: TicketRow, caller: Pick<Caller, 'superadmin'> | null): Ticket {
  const billable = row.done - row.unbilled_count;
  return {
    _id: String(row.id),
    ticket_number: String(row.ticket_number),
    company_code: row.company_code,
    date: row.created_at.toISOString(),
    status: row.status,
    data_count: row.data_count,
    ...countRows(row),
    price: Number(row.price),
    current_dollar_price: row.current_dollar_price,
    discount: row.discount,
    known_count: row.known_count,
    billable,
    ...computeMoney({ ...row, billable }),
    file_name: row.file_name,
    kind: row.import_kind ?? 'order',
    imported: row.imported_at !== null,
    serial_deleted: row.serial_deleted,
    coverage_deleted: row.coverage_deleted,
    version: row.version,
    invoice: caller?.superadmin ? row.invoice : null,
    retryable: isRetryable(row),
  };
}

/** Describes a ticket and the user who sent its rows, if the caller may see the user. */
export function describeTicketMatch(row: UploadedTicketRow, caller: Caller): TicketMatch {
  return { ...describeTicket(row, caller), uploaded_by: describeUploader(row) };
}

/** Describes the user who sent a ticket's rows, if the caller may see the user. */
export function describeUploader({
  uploader,
}: Pick<UploadedTicketRow, 'uploader'>): TicketMatch['uploaded_by'] {
  return uploader && { _id: String(uploader.id), name: uploader.name, email: uploader.email };
}

/** Returns whether a retry may look up some rows of a ticket. */
export function isRetryable(
  row: Pick<
    TicketRow,
    'status' | 'total' | 'done' | 'failed' | 'unavailable' | 'serial_deleted' | 'coverage_deleted' | 'invoice'
  >,
): boolean {
  if (isRunning(row) || row.serial_deleted || row.coverage_deleted || row.invoice) return false;
  return row.total - row.done - row.failed + (row.unavailable ?? row.failed) > 0;
}

/** @throws AppError 404 when it does not exist or belongs to another company */
export async function requireTicketInScope(
  db: Db,
  caller: Caller,
  ticketNumber: string,
): Promise<UploadedTicketRow> {
  const row = await findTicketByNumber.first(db, {
    ticketNumber: Number(ticketNumber),
    scope: scopeOf(caller),
  });
  if (!row) throw ticketNotFound();
  return row;
}

/**
 * Finds a ticket by its number, or the caller's newest without a number; undefined when there is none.
 * @throws AppError 404 when the number does not exist or belongs to another company
 */
export async function findTicketOrNewest(
  db: Db,
  caller: Caller,
  ticketNumber: string | undefined,
): Promise<TicketRow | undefined> {
  if (ticketNumber !== undefined) return requireTicketInScope(db, caller, ticketNumber);
  return findNewestTicket.first(db, { scope: scopeOf(caller) });
}

/**
 * Reads when a ticket was created, imported, started and finished, and the rows finished in each span between.
 * @throws AppError 404 when it does not exist or belongs to another company
 */
export async function getTicketHistory(db: Db, caller: Caller, ticketNumber: string) {
  const row = await requireTicketInScope(db, caller, ticketNumber);
  const history = await listTicketHistory.all(db, { ticketId: row.id });
  return {
    created_at: row.created_at.toISOString(),
    imported_at: row.imported_at?.toISOString() ?? null,
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    history: history.map(({ from, finished }) => ({ from: from.toISOString(), finished })),
  };
}

/** Lists one page of all tickets, newest first. The summary counts all statuses, in the company if one is given. */
export async function listTickets(
  db: Db,
  caller: Caller,
  query: Paging & { status?: TicketStatus | undefined; company_code?: string | undefined },
) {
  const { page, limit, status, company_code: companyCode } = query;
  const [rows, counts] = await Promise.all([
    listTicketPage.all(db, { scope: null, status, companyCode, limit, offset: (page - 1) * limit }),
    countTicketsByStatus.all(db, { companyCode }),
  ]);
  const countOf = (wanted: TicketStatus) => counts.find((row) => row.status === wanted)?.count ?? 0;
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return {
    data: rows.map((row) => describeTicketMatch(row, caller)),
    pagination: describePage(page, limit, status ? countOf(status) : total),
    summary: {
      total,
      pending: countOf('Pending'),
      processing: countOf('Processing'),
      completed: countOf('Completed'),
      cancelled: countOf('Cancelled'),
    },
  };
}
