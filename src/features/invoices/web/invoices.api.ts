import { ticketsKey } from '#features/tickets/web/tickets.api.ts';
import { polled, read } from '#web/client/read.ts';
import type { getInvoice, getSeller, listInvoices } from '../invoices.contract.ts';
import type { getReminders } from '../reminders.contract.ts';

/** Below the key of tickets, because drafts follow their tickets. */
export const invoicesKey = [...ticketsKey, 'invoices'] as const;

/** The present data of the seller. */
export const sellerQuery = polled(read<typeof getSeller>(invoicesKey, 'GET /invoices/seller', {}));

/** The present settings of automatic reminders. */
export const remindersQuery = polled(read<typeof getReminders>(invoicesKey, 'GET /invoices/reminders', {}));

/** A short page of open invoices, for the sum of them all. */
export const openInvoicesQuery = polled(
  read<typeof listInvoices>([...invoicesKey, 'open'], 'GET /invoices', {
    query: { status: 'issued', lines: '0', page: 1, limit: 10 },
  }),
);

export const invoiceQuery = (id: string) =>
  polled(read<typeof getInvoice>(invoicesKey, 'GET /invoices/{id}', { params: { id } }));
