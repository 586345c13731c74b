import { requeueLookups } from '#features/lookups/server/lookups.service.ts';
import type { Db } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { AppError } from '#server/http/errors/errors.ts';
import { m } from '#shared/texts/messages.js';
import { markRetried, resetUnavailableRows } from './editing/ticket-edits.queries.ts';
import { requireNotInvoiced, withLockedTicket } from './editing/ticket-edits.service.ts';
import { recordTicket } from './ticket-record.service.ts';
import type { TicketRow } from './tickets.queries.ts';

/**
 * Looks up again those rows of an ended ticket that are pending or failed with "Source unavailable".
 * @param caller null for the product itself
 * @throws AppError 404; 409 when the ticket is on an invoice that stands or runs, some of its data was deleted, or it has
 * no such row
 */
export function retryTicket(db: Db, caller: Caller | null, id: number): Promise<TicketRow> {
  return withLockedTicket(db, caller, id, async (tx, ticket) => {
    await requireNotInvoiced(tx, ticket, 'draft');
    if (ticket.serial_deleted || ticket.coverage_deleted) {
      throw new AppError(409, 'rows_deleted', m.server_ticket_retry_deleted);
    }
    const ended = ticket.status === 'Cancelled' || (ticket.status === 'Completed' && ticket.failed > 0);
    if (!ended) {
      throw new AppError(409, 'not_ended', m.server_ticket_retry_refused);
    }
    const pending = ticket.total - ticket.done - ticket.failed;
    const { count: reset } = await resetUnavailableRows.one(tx, { ticketId: ticket.id });
    if (pending + reset === 0) {
      throw new AppError(409, 'nothing_to_retry', m.server_ticket_retry_nothing);
    }
    const row = await markRetried.one(tx, { id: ticket.id, reset });
    await requeueLookups(tx, ticket.id);
    await recordTicket(tx, 'ticket.retry', ticket, row);
    return row;
  });
}
