import { requireActiveCompany } from '#features/clients/server/clients.service.ts';
import { cancelLookups, requeueLookups } from '#features/lookups/server/lookups.service.ts';
import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import type { Ticket } from '#features/tickets/tickets.contract.ts';
import { publishTicketEnd } from '#features/webhooks/server/events/publish-event.service.ts';
import type { Db, Queryable } from '#server/db/db.ts';
import { type Caller, scopeOf } from '#server/http/caller.ts';
import { changeAs } from '#server/http/caller-rights.ts';
import { AppError, fill, requireVersion } from '#server/http/errors/errors.ts';
import { changeOnce } from '#server/http/idempotent-change.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import { deleteMarkedRows, markRowDeletion } from '../row-deletions/row-deletions.service.ts';
import { recordTicket } from '../ticket-record.service.ts';
import { insertTicket, lockTicket, type TicketRow, takeTicketId } from '../tickets.queries.ts';
import { describeTicket, ticketNotFound } from '../tickets.service.ts';
import {
  deleteTicketRow,
  findStandingInvoice,
  markCancelled,
  markRetried,
  resetUnavailableRows,
  type TicketTerms,
  updateTicketTerms,
} from './ticket-edits.queries.ts';

/**
 * Creates an order: an empty Pending ticket with an expected count.
 * @param key the Idempotency-Key of the request
 * @throws AppError 400 naming `company_code`; 422 as `changeOnce`
 */
export async function createTicket(
  { db, config }: Context,
  caller: Caller,
  order: { data_count: number; company_code: string },
  key: string | null,
): Promise<Ticket> {
  const request = { key, input: ['createTicket', order.company_code, order.data_count] };
  return changeOnce(db, caller, request, async (tx) => {
    await requireActiveCompany(tx, order.company_code);
    const ticket = await insertTicket(tx, {
      id: (await takeTicketId.one(tx)).id,
      companyCode: order.company_code,
      createdBy: caller.id,
      dataCount: order.data_count,
      price: config.PRICE_USD,
      dollarRate: config.DOLLAR_RATE,
    });
    await recordTicket(tx, 'ticket.create', null, ticket);
    return describeTicket(ticket, caller);
  });
}

/**
 * Updates a ticket's expected count, discount and dollar rate, in any status. Its price in dollars stays.
 * @throws AppError 404; 409 on an issued or paid invoice, and when they have changed since the given version
 */
export async function updateTicket(
  db: Db,
  caller: Caller,
  id: number,
  terms: TicketTerms & { version?: number | undefined },
): Promise<TicketRow> {
  return withLockedTicket(db, caller, id, async (tx, ticket) => {
    await requireNotInvoiced(tx, ticket, 'issued');
    requireVersion(terms.version, ticket.version, m.server_ticket_changed);
    const changed = await updateTicketTerms.one(tx, { ...terms, id: ticket.id });
    await recordTicket(tx, 'ticket.update', ticket, changed);
    return changed;
  });
}

/**
 * Cancels a Pending or Processing ticket and keeps finished rows. Workers are notified and stop within 2 seconds.
 * @param caller null for the product itself
 * @throws AppError 404 when it does not exist or is outside the caller's scope; 409 for a ticket that has ended
 */
export async function cancelTicket(db: Db, caller: Caller | null, id: number): Promise<TicketRow> {
  const scope = caller && scopeOf(caller);
  return withLockedTicket(db, caller, id, async (tx, ticket) => {
    if (scope !== null && ticket.company_code !== scope) throw ticketNotFound();
    if (!isRunning(ticket)) {
      throw new AppError(409, 'not_running', m.server_ticket_cancel_refused);
    }
    await cancelLookups(tx, ticket.id);
    const cancelled = await markCancelled.one(tx, { id: ticket.id });
    await publishTicketEnd(tx, 'ticket.cancelled', cancelled);
    await recordTicket(tx, 'ticket.cancel', ticket, cancelled);
    return cancelled;
  });
}

/**
 * Deletes a ticket and its rows, and stops its lookups.
 * @param caller null for the product itself
 * @param forgetsDevices also forgets the devices that no other ticket of the company had
 * @throws AppError 404; 409 for a Completed ticket, and for one on an issued or paid invoice
 */
export async function deleteTicket(
  context: Pick<Context, 'db' | 'log'>,
  caller: Caller | null,
  id: number,
  forgetsDevices = false,
): Promise<void> {
  await withLockedTicket(context.db, caller, id, async (tx, ticket) => {
    await requireNotInvoiced(tx, ticket, 'issued');
    if (ticket.status === 'Completed') {
      throw new AppError(409, 'completed', m.server_ticket_completed_delete);
    }
    await cancelLookups(tx, ticket.id);
    await markRowDeletion.run(tx, { ticketId: ticket.id, forgetsDevices });
    await deleteTicketRow.run(tx, { id: ticket.id });
    if (isRunning(ticket)) await publishTicketEnd(tx, 'ticket.cancelled', ticket, true);
    await recordTicket(tx, 'ticket.delete', ticket, null);
  });
  await deleteMarkedRows(context, id);
}

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

/**
 * Checks that a locked ticket is on no invoice that stands. Invoices lock their tickets as well, before they read them.
 * @param from `issued` lets a draft pass, which follows its tickets
 * @throws AppError 409 naming the invoice
 */
async function requireNotInvoiced(
  tx: Queryable,
  { ticket_number }: TicketRow,
  from: 'draft' | 'issued',
): Promise<void> {
  const invoice = await findStandingInvoice.first(tx, { ticketNumber: ticket_number });
  if (!invoice) return;
  const { number, month } = invoice;
  const ticket = String(ticket_number);
  if (number !== null) {
    throw new AppError(409, 'ticket_invoiced', fill(m.server_ticket_invoiced, { ticket, number }));
  }
  if (from === 'draft') {
    throw new AppError(409, 'ticket_invoiced', fill(m.server_ticket_on_draft, { ticket, month }));
  }
}

/** Changes a ticket under its lock. @param caller null for the product itself @throws AppError 404 */
export function withLockedTicket<T>(
  db: Db,
  caller: Caller | null,
  id: number,
  change: (tx: Queryable, ticket: TicketRow) => Promise<T>,
): Promise<T> {
  return changeAs(db, caller, async (tx) => {
    const ticket = await lockTicket.first(tx, { id });
    if (!ticket) throw ticketNotFound();
    return change(tx, ticket);
  });
}
