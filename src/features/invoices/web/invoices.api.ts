import { ticketsKey } from '#features/tickets/web/tickets.api.ts';

/** Below the key of tickets, because drafts follow their tickets. */
export const invoicesKey = [...ticketsKey, 'invoices'] as const;
