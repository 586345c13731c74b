import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  cancelTicket,
  createTicket,
  deleteTicket,
  listTickets,
  retryTicket,
  Ticket,
  TicketStatus,
  updateTicket,
} from '#features/tickets/tickets.contract.ts';
import type { Body } from '#shared/endpoint.ts';
import { call } from '#web/api-client.ts';
import { ticketsKey } from './tickets.api.ts';

/** How often a screen asks again about tickets that move. */
export const refreshMs = 5000;

export type TicketFilter = {
  status: TicketStatus | undefined;
  company_code: string | undefined;
  page: number;
  limit: number;
};

/** Whether the server still works on a ticket's rows, so that its figures move. */
export function isMoving(ticket: Pick<Ticket, 'status' | 'file_name'>): boolean {
  return ticket.status === 'Processing' || (ticket.status === 'Pending' && ticket.file_name !== null);
}

/** One page of tickets; read again every 5 seconds while one of them moves. */
export const ticketPage = (filter: TicketFilter) =>
  queryOptions({
    queryKey: [...ticketsKey, 'page', filter],
    queryFn: ({ signal }) => call<typeof listTickets>('GET /tickets', { query: filter }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isMoving) ? refreshMs : false),
  });

export const addTicket = (body: Body<typeof createTicket>) =>
  call<typeof createTicket>('POST /tickets', { body });

export const changeTicket = (id: string, body: Body<typeof updateTicket>) =>
  call<typeof updateTicket>('PUT /tickets/{id}', { params: { id }, body });

export const removeTicket = (id: string) =>
  call<typeof deleteTicket>('DELETE /tickets/{id}', { params: { id } });

export const stopTicket = (id: string) =>
  call<typeof cancelTicket>('POST /tickets/{id}/cancel', { params: { id } });

/** Looks up again what is pending or failed for want of a source. */
export const restartTicket = (id: string) =>
  call<typeof retryTicket>('POST /tickets/{id}/retry', { params: { id } });
