import type { AuditAction } from '#features/audit/audit-words.shared.ts';
import { record } from '#features/audit/server/audit.service.ts';
import type { Queryable } from '#server/db/db.ts';
import type { TicketRow } from './tickets.queries.ts';

/**
 * Records an action on a ticket or its rows, in the transaction of the action.
 * @param before the ticket before the action; null for a new one
 * @param after the ticket after it; null for a deleted one
 */
export async function recordTicket(
  tx: Queryable,
  action: AuditAction,
  before: TicketRow | null,
  after: TicketRow | null,
): Promise<void> {
  const ticket = after ?? before;
  if (!ticket) return;
  await record(tx, {
    action,
    objectId: ticket.ticket_number,
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
    import_kind: ticket.import_kind ?? 'order',
    serial_deleted: ticket.serial_deleted,
    coverage_deleted: ticket.coverage_deleted,
  };
}
