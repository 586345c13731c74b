import { queryOptions } from '@tanstack/react-query';
import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import type {
  Activity,
  getActivity,
  getLastTicket,
  getProgress,
  getTicket,
  getTicketHistory,
  listProgress,
  listTicketNumbers,
  Ticket,
} from '#features/tickets/tickets.contract.ts';
import type { Input } from '#shared/endpoint.ts';
import { call } from '#web/client/api-client.ts';

/**
 * Everything that depends on tickets is cached under this key, results, imports and figures too: invalidate it after a
 * change made here. Changes made elsewhere are followed by `TicketActivity`.
 */
export const ticketsKey = ['tickets'] as const;

/** Ticket numbers within the caller's scope, newest first; feeds every ticket selector. */
export function ticketNumbersQuery(query: NonNullable<Input<typeof listTicketNumbers>['query']> = {}) {
  return queryOptions({
    queryKey: [...ticketsKey, 'numbers', query],
    queryFn: async ({ signal }) =>
      (await call<typeof listTicketNumbers>('GET /tickets/ticket-numbers', { query }, signal)).data,
  });
}

/** A poll without an answer for this long has failed: the server may be gone without a word. */
const answerMs = 10_000;

/** Running tickets, and the tickets that ended since the previous answer. */
export const activityQuery = queryOptions({
  queryKey: [...ticketsKey, 'activity'],
  queryFn: ({ client, queryKey, signal }) => {
    const since = client.getQueryData<Activity>(queryKey)?.as_of;
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
    return call<typeof getActivity>('GET /tickets/activity', { query: { since } }, deadline);
  },
});

/** One ticket as it is now, by its number. */
export function ticketQuery(ticketNumber: string) {
  return queryOptions({
    queryKey: [...ticketsKey, 'ticket', ticketNumber],
    queryFn: async ({ signal }) => {
      const query = { ticket_number: ticketNumber };
      return (await call<typeof getTicket>('GET /tickets/by-number', { query }, signal)).ticket;
    },
  });
}

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

/** The instants of a ticket's life and how the work went, asked for once for each `version`. */
export function ticketHistoryQuery(ticketNumber: string, version: number) {
  return queryOptions({
    queryKey: [...ticketsKey, 'history', ticketNumber, version],
    queryFn: ({ signal }) =>
      call<typeof getTicketHistory>(
        'GET /tickets/history',
        { query: { ticket_number: ticketNumber } },
        signal,
      ),
    placeholderData: (before, beforeQuery) =>
      beforeQuery?.queryKey[2] === ticketNumber ? before : undefined,
  });
}

/** Progress of one ticket, of the caller's newest where none is named. */
export function progressQuery(ticketNumber: string) {
  return queryOptions({
    queryKey: [...ticketsKey, 'progress', ticketNumber],
    queryFn: ({ signal }) =>
      call<typeof getProgress>(
        'GET /tickets/progress',
        { query: { ticket_number: ticketNumber || undefined } },
        signal,
      ),
  });
}

/** Progress of the newest tickets with rows, of one company or of all in the caller's scope. */
export function allProgressQuery(companyCode: string) {
  return queryOptions({
    queryKey: [...ticketsKey, 'all-progress', companyCode],
    queryFn: async ({ signal }) => {
      const query = companyCode === '' ? {} : { company_code: companyCode };
      return (await call<typeof listProgress>('GET /tickets/all-progress', { query }, signal)).data;
    },
  });
}

/** Whether the server works on a ticket's rows, or is going to: an order has none yet. */
export function isMoving(ticket: Pick<Ticket, 'status' | 'imported'>): boolean {
  return isRunning(ticket) && ticket.imported;
}

/** The remaining data of a ticket: uploaded rows, and rows with a result. */
export function countRows(ticket: Ticket): { uploaded: number; results: number } {
  return {
    // Without an upload `total` is the expected count.
    uploaded: ticket.serial_deleted || !ticket.imported ? 0 : ticket.total,
    results: ticket.coverage_deleted ? 0 : ticket.done + ticket.failed,
  };
}
