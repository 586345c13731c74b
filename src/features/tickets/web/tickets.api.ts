import { queryOptions } from '@tanstack/react-query';
import type { getProgress, listProgress, listTicketNumbers } from '#features/tickets/tickets.contract.ts';
import type { Input } from '#shared/endpoint.ts';
import { call } from '#web/api-client.ts';

/** Everything about tickets is cached under this key: invalidate it after a change. */
export const ticketsKey = ['tickets'] as const;

/** Ticket numbers within the caller's scope, newest first; feeds every ticket selector. */
export function ticketNumbersQuery(query: NonNullable<Input<typeof listTicketNumbers>['query']> = {}) {
  return queryOptions({
    queryKey: [...ticketsKey, 'numbers', query],
    queryFn: async ({ signal }) =>
      (await call<typeof listTicketNumbers>('GET /tickets/ticket-numbers', { query }, signal)).data,
  });
}

/** Progress of one ticket. */
export function progressQuery(ticketNumber: string) {
  return queryOptions({
    queryKey: [...ticketsKey, 'progress', ticketNumber],
    queryFn: ({ signal }) =>
      call<typeof getProgress>('GET /tickets/progress', { query: { ticket_number: ticketNumber } }, signal),
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
