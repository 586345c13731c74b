import type { Ticket } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatLongMonth, formatNumber } from '#web/format/format.ts';
import { getLanguage } from '#web/preferences/language.ts';
import { addNumber, nameUpload } from '../name-upload.shared.ts';

export type Named = Pick<Ticket, 'file_name' | 'kind' | 'total' | 'date'>;

/** Names a ticket as people know it: by its file, or by how its rows came. */
export function nameTicket({ file_name, kind, total, date }: Named): string {
  if (kind === 'recheck') return m.tickets_named_recheck({ month: formatLongMonth(date) });
  if (kind === 'order') return m.tickets_named_order({ number: formatNumber(total) });
  return nameUpload({ file_name, total }, getLanguage());
}

/** Names a ticket in a sentence or a selector, where a file may have been uploaded twice. */
export function nameNumbered(ticket: Named & { ticket_number: string }): string {
  return addNumber(nameTicket(ticket), ticket.ticket_number);
}
