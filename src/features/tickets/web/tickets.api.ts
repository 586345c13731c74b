import { queryOptions } from '@tanstack/react-query';
import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import type {
  Activity,
  findTickets,
  getActivity,
  getLastTicket,
  getProgress,
  getTicket,
  listProgress,
  Ticket,
} from '#features/tickets/tickets.contract.ts';
import { type CallInput, call } from '#web/client/api-client.ts';
import { read } from '#web/client/read.ts';

/**
 * Everything that depends on tickets is cached under this key, results, imports and figures too: invalidate it after a
 * change made here. Changes made elsewhere are followed by `TicketActivity`.
 */
export const ticketsKey = ['tickets'] as const;

export type TicketQuery = NonNullable<CallInput<typeof findTickets>['query']>;

/** The newest 50 tickets within the caller's scope that match a search; feeds every ticket selector. */
export const findTicketsQuery = (query: TicketQuery = {}) =>
  queryOptions({
    ...read<typeof findTickets>(ticketsKey, 'GET /tickets/find', { query: { limit: 50, ...query } }),
    select: ({ data }) => data,
  });

/** A poll without an answer for this long has failed: the server may be gone without a word. */
const answerMs = 10_000;

export const activityQuery = queryOptions({
  queryKey: [...ticketsKey, 'activity'],
  queryFn: ({ client, queryKey, signal }) => {
    const since = client.getQueryData<Activity>(queryKey)?.as_of;
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
    return call<typeof getActivity>('GET /tickets/activity', { query: { since } }, deadline);
  },
});

export const ticketQuery = (ticket_number: string) =>
  queryOptions({
    ...read<typeof getTicket>(ticketsKey, 'GET /tickets/by-number', { query: { ticket_number } }),
    select: ({ ticket }) => ticket,
  });

export const newestTicketKey = 'newest-ticket';

/**
 * The caller's newest ticket, or null, when a place of the browser's history was opened. It stays the same there, so it is
 * not below `ticketsKey`.
 */
export function newestTicketQuery(place: string) {
  return queryOptions({
    queryKey: [newestTicketKey, place],
    queryFn: async ({ signal }) => (await call<typeof getLastTicket>('GET /tickets/last', {}, signal)).ticket,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const progressQuery = (ticket_number: string) =>
  read<typeof getProgress>(ticketsKey, 'GET /tickets/progress', { query: { ticket_number } });

/** Progress of the newest tickets with rows, of one company or of all in the caller's scope. */
export const allProgressQuery = (company_code: string) =>
  queryOptions({
    ...read<typeof listProgress>(ticketsKey, 'GET /tickets/all-progress', { query: { company_code } }),
    select: ({ data }) => data,
  });

/** Whether the server works on a ticket's rows, or is going to: an order has none yet. */
export function isMoving(ticket: Pick<Ticket, 'status' | 'imported'>): boolean {
  return isRunning(ticket) && ticket.imported;
}

/** The remaining data of a ticket: uploaded rows, and rows with a result. */
export function countTicketRows(ticket: Ticket): { uploaded: number; results: number } {
  return {
    // Without an upload `total` is the expected count.
    uploaded: ticket.serial_deleted || !ticket.imported ? 0 : ticket.total,
    results: ticket.coverage_deleted ? 0 : ticket.done + ticket.failed,
  };
}
