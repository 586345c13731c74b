import type { TicketStatus } from '#shared/ticket-status.ts';

/** The colour of each status, in badges and bars. */
export const ticketTones = {
  Pending: 'yellow',
  Processing: 'blue',
  Completed: 'green',
  Cancelled: 'red',
} as const satisfies Record<TicketStatus, string>;

/** Percent of a ticket's rows that failed: the red segment of its bar. */
export function failedShare({ failed, total }: { failed: number; total: number }): number {
  return total === 0 ? 0 : (failed / total) * 100;
}

/** How a ticket's bar looks: its status' colour, moving while work goes on, full when Completed. */
export function barOf({ status, percent }: { status: TicketStatus; percent: number }) {
  return {
    tone: ticketTones[status],
    animated: status === 'Processing',
    percent: status === 'Completed' ? 100 : percent,
  };
}
