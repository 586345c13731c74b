import { listCompanyCodes } from '#features/clients/clients.contract.ts';
import { type ListedTicket, listTickets } from '#features/tickets/tickets.contract.ts';
import type { FakeApi } from './fake-api.ts';
import { onePage } from './paging.ts';

/** An order of ACM001 without an upload. */
export const order: ListedTicket = {
  _id: '7',
  ticket_number: '7',
  company_code: 'ACM001',
  date: '2026-01-05T03:00:00.000Z',
  status: 'Pending',
  data_count: 1000,
  total: 0,
  done: 0,
  failed: 0,
  remaining: 1000,
  percent: 0,
  known_count: 0,
  billable: 0,
  price: 50,
  current_dollar_price: 16000,
  discount: 0,
  price_per_data: 800,
  subtotal: 800_000,
  discount_amount: 0,
  total_amount: 800_000,
  file_name: null,
  imported: false,
  serial_deleted: false,
  coverage_deleted: false,
  version: 1,
  retryable: false,
  history: [],
};

/** Answers the list of tickets, on one page. */
export function answerTickets(api: FakeApi, tickets: ListedTicket[]): void {
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
