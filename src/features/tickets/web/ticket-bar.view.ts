import type { TicketStatus } from '#features/tickets/ticket-status.shared.ts';

export const ticketTones = {
  Pending: 'yellow',
  Processing: 'blue',
  Completed: 'green',
  Cancelled: 'red',
} as const satisfies Record<TicketStatus, string>;

type Counted = { status: TicketStatus; percent: number; failed: number; total: number };

/** Returns a ticket's bar: in its status' colour with red for failed rows, animated while running, full when Completed. */
export function barOf({ status, percent: finished, failed, total }: Counted) {
  const percent = status === 'Completed' ? 100 : finished;
  return {
    tone: ticketTones[status],
    animated: status === 'Processing',
    percent,
    failed: total === 0 ? 0 : Math.min(percent, (failed / total) * 100),
  };
}
