import { listCompanyCodes } from '#features/clients/clients.contract.ts';
import { listTickets, type TicketMatch } from '#features/tickets/tickets.contract.ts';
import type { FakeApi } from './fake-api.ts';
import { ticket } from './made-up-rows.ts';
import { onePage } from './paging.ts';

/** An order of ACM001 without an upload. */
export const order: TicketMatch = {
  ...ticket,
  status: 'Pending',
  data_count: 1000,
  total: 0,
  done: 0,
  remaining: 1000,
  percent: 0,
  billable: 0,
  price: 50,
  subtotal: 800_000,
  total_amount: 800_000,
};

/** Answers the list of tickets, on one page. */
export function answerTickets(api: FakeApi, tickets: TicketMatch[]): void {
  const count = (status: string) => tickets.filter((ticket) => ticket.status === status).length;
  api.answer(listCompanyCodes, { data: [{ company_code: 'ACM001', company_name: 'Acme' }] });
  api.answer(listTickets, {
    data: tickets,
    pagination: onePage(tickets.length, 12),
    summary: {
      total: tickets.length,
      pending: count('Pending'),
      processing: count('Processing'),
      completed: count('Completed'),
      cancelled: count('Cancelled'),
    },
  });
}
