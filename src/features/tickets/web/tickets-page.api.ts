import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { TicketStatus } from '#features/tickets/ticket-status.shared.ts';
import type * as contract from '#features/tickets/tickets.contract.ts';
import type { Body } from '#shared/endpoint.ts';
import { call } from '#web/client/api-client.ts';
import { ticketsKey } from './tickets.api.ts';

export type TicketFilter = {
  status: TicketStatus | undefined;
  company_code: string | undefined;
  page: number;
  limit: number;
};

/** One page of tickets. */
export const ticketPage = (filter: TicketFilter) =>
  queryOptions({
    queryKey: [...ticketsKey, 'page', filter],
    queryFn: ({ signal }) => call<typeof contract.listTickets>('GET /tickets', { query: filter }, signal),
    placeholderData: keepPreviousData,
  });

export const createTicket = (body: Body<typeof contract.createTicket>) =>
  call<typeof contract.createTicket>('POST /tickets', { body });

export const updateTicket = (id: string, body: Body<typeof contract.updateTicket>) =>
  call<typeof contract.updateTicket>('PUT /tickets/{id}', { params: { id }, body });

export const deleteTicket = (id: string) =>
  call<typeof contract.deleteTicket>('DELETE /tickets/{id}', { params: { id } });

export const cancelTicket = (id: string) =>
  call<typeof contract.cancelTicket>('POST /tickets/{id}/cancel', { params: { id } });

/** Retries pending rows and rows that failed because a source was unavailable. */
export const retryTicket = (id: string) =>
  call<typeof contract.retryTicket>('POST /tickets/{id}/retry', { params: { id } });
