import type { TicketStatus } from '#shared/ticket-status.ts';

/** The colour of each status, in badges and bars. */
export const ticketTones = {
  Pending: 'yellow',
  Processing: 'blue',
  Completed: 'green',
  Cancelled: 'red',
} as const satisfies Record<TicketStatus, string>;

/** How a ticket's bar looks: its status' colour, moving while work goes on, full when Completed. */
export function barOf({ status, percent }: { status: TicketStatus; percent: number }) {
  return {
    tone: ticketTones[status],
    animated: status === 'Processing',
    percent: status === 'Completed' ? 100 : percent,
  };
}
