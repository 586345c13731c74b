import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import type { Ticket } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';

/** Why a Completed or Cancelled ticket cannot be looked up again, null when it can. */
export function explainNoRetry(ticket: Ticket): string | null {
  if (ticket.serial_deleted || ticket.coverage_deleted) return m.tickets_retry_deleted();
  if (!ticket.imported) return m.tickets_retry_no_rows();
  if (ticket.status === 'Completed' && ticket.failed === 0) return m.tickets_retry_all_done();
  if (!ticket.retryable) return m.tickets_retry_final();
  return null;
}

export function explainNoDelete({ status }: Pick<Ticket, 'status'>): string | null {
  return status === 'Completed' ? m.tickets_delete_completed() : null;
}

export function mayRetry(ticket: Ticket): boolean {
  return !isRunning(ticket) && explainNoRetry(ticket) === null;
}

/** Items without a result that a Completed ticket reports as failed. */
export function countFailedItems({ total, done }: Pick<Ticket, 'total' | 'done'>): number {
  return Math.max(0, total - done);
}
