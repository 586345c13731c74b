import type { Queryable } from '#server/db/db.ts';
import { insertDeliveries, type PublishedEvent } from './events.queries.ts';

/**
 * Queues an event for every active webhook that asked for it. Call it in the transaction in which the event happens, so
 * that neither is stored without the other. Nothing is written while no webhook asked for it.
 */
export async function publishEvent(tx: Queryable, event: PublishedEvent): Promise<void> {
  await insertDeliveries(tx, event);
}

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
