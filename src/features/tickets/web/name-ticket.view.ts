import { formatLongMonth } from '#web/format/format.ts';
import { getLanguage } from '#web/preferences/language.ts';
import { addNumber, type NamedTicket, nameTicketIn } from '../ticket-names.shared.ts';

/** Names a ticket as people know it: by its file, or by how its rows came. */
export const nameTicket = (ticket: NamedTicket) => nameTicketIn(ticket, getLanguage(), formatLongMonth);

/** Names a ticket in a sentence or a selector, where a file may have been uploaded twice. */
export function nameNumbered(ticket: NamedTicket & { ticket_number: string }): string {
  return addNumber(nameTicket(ticket), ticket.ticket_number);
}
