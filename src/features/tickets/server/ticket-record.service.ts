import type { AuditAction } from '#features/audit/audit.contract.ts';
import { record } from '#features/audit/server/audit.service.ts';
import type { Queryable } from '#server/db/db.ts';
import type { TicketRow } from './tickets.queries.ts';

/**
 * Records what was done to a ticket, or to its rows, in the transaction that does it.
 * @param before the ticket as it was; null for a new one
 * @param after null for one that is gone
 */
export async function recordTicket(
  tx: Queryable,
  action: AuditAction,
  before: TicketRow | null,
  after: TicketRow | null,
): Promise<void> {
  const ticket = after ?? before;
  if (!ticket) return;
  // Tickets are named by their id, their rows and results by the ticket's number, as in the calls.
  const objectId = action.startsWith('ticket.') ? ticket.id : ticket.ticket_number;
  await record(tx, {
    action,
    objectId,
    companyCode: ticket.company_code,
    before: before && valuesOf(before),
    after: after && valuesOf(after),
  });
}

function valuesOf(ticket: TicketRow) {
  return {
    ticket_number: String(ticket.ticket_number),
    status: ticket.status,
    data_count: ticket.data_count,
    total: ticket.total,
    done: ticket.done,
    failed: ticket.failed,
    price: ticket.price,
    current_dollar_price: ticket.current_dollar_price,
    discount: ticket.discount,
    file_name: ticket.file_name,
    serial_deleted: ticket.serial_deleted,
    coverage_deleted: ticket.coverage_deleted,
  };
}
