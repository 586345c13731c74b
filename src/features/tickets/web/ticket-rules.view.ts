import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import type { Ticket } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';

/** Why a Completed or Cancelled ticket cannot be looked up again, null when it can. */
export function explainNoRetry(ticket: Ticket): string | null {
  if (ticket.serial_deleted || ticket.coverage_deleted) return m.tickets_retry_deleted();
  if (!ticket.imported) return m.tickets_retry_no_rows();
  if (ticket.status === 'Completed' && ticket.failed === 0) return m.tickets_retry_all_done();
  if (ticket.invoice) return explainInvoice(ticket.invoice);
  if (!ticket.retryable) return m.tickets_retry_final();
  return null;
}

/** Why the terms of a ticket cannot be changed, null when they can. */
export function explainNoEdit({ invoice }: Pick<Ticket, 'invoice'>): string | null {
  return explainIssued(invoice);
}

/** Why a ticket cannot be deleted, null when it can. */
export function explainNoDelete({ status, invoice }: Pick<Ticket, 'status' | 'invoice'>): string | null {
  return status === 'Completed' ? m.tickets_delete_completed() : explainIssued(invoice);
}

/** Why a ticket of an issued invoice stays as it is, null when no invoice of it is issued. */
function explainIssued(invoice: Ticket['invoice']): string | null {
  return invoice === 'issued' ? explainInvoice(invoice) : null;
}

function explainInvoice(invoice: NonNullable<Ticket['invoice']>): string {
  return invoice === 'draft' ? m.tickets_on_draft() : m.tickets_invoiced();
}

export function mayRetry(ticket: Ticket): boolean {
  return !isRunning(ticket) && explainNoRetry(ticket) === null;
}

/** Items without a result that a Completed ticket reports as failed. */
export function countFailedItems({ total, done }: Pick<Ticket, 'total' | 'done'>): number {
  return Math.max(0, total - done);
}
