import type { Queryable } from '#server/db/db.ts';
import { publishEvent } from './events.queries.ts';

export { publishEvent };

/** The numbers of a ticket that has ended. */
export type EndedTicket = {
  ticket_number: number;
  company_code: string;
  total: number;
  done: number;
  failed: number;
  activated: number;
  unactivated: number;
};

/**
 * Publishes the end of a ticket, in the transaction that ends it under its lock.
 * @param deleted whether the ticket or its uploaded rows are deleted with it
 */
export function publishTicketEnd(
  tx: Queryable,
  type: 'ticket.completed' | 'ticket.cancelled',
  ticket: EndedTicket,
  deleted = false,
): Promise<void> {
  const { ticket_number, company_code, total, done, failed, activated, unactivated } = ticket;
  const number = String(ticket_number);
  return publishEvent(tx, {
    type,
    companyCode: company_code,
    subject: `ticket:${number}`,
    data: { ticket_number: number, company_code, total, done, failed, activated, unactivated, deleted },
    path: `/dashboard/tickets/${number}`,
  });
}
