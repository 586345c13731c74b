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

/** Returns the values of a ticket from which the audit log names it. */
export function recordName({
  file_name,
  import_kind,
  total,
}: Pick<TicketRow, 'file_name' | 'import_kind' | 'total'>) {
  return { file_name, import_kind: import_kind ?? 'order', total };
}

function valuesOf(ticket: TicketRow) {
  return {
    ticket_number: String(ticket.ticket_number),
    status: ticket.status,
    data_count: ticket.data_count,
    done: ticket.done,
    failed: ticket.failed,
    price: ticket.price,
    current_dollar_price: ticket.current_dollar_price,
    discount: ticket.discount,
    ...recordName(ticket),
    serial_deleted: ticket.serial_deleted,
    coverage_deleted: ticket.coverage_deleted,
  };
}
