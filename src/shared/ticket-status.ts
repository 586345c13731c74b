/** What a ticket may be: waiting to start, in progress, done, stopped. */
export const ticketStatuses = ['Pending', 'Processing', 'Completed', 'Cancelled'] as const;
export type TicketStatus = (typeof ticketStatuses)[number];

/** Whether rows of a ticket may still be looked up: it may be cancelled, and its figures move. */
export function isRunning({ status }: { status: TicketStatus }): boolean {
  return status === 'Pending' || status === 'Processing';
}
