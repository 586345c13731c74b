/** The statuses of a ticket: waiting to start, in progress, done, stopped. */
export const ticketStatuses = ['Pending', 'Processing', 'Completed', 'Cancelled'] as const;
export type TicketStatus = (typeof ticketStatuses)[number];

/** Returns whether rows of a ticket may still be looked up. Such a ticket can be cancelled, and its figures change. */
export function isRunning({ status }: { status: TicketStatus }): boolean {
  return status === 'Pending' || status === 'Processing';
}
