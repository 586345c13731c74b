import type { FoundTicket } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatDay, formatNumber } from '#web/format/format.ts';
import type { Option } from '#web/ui/field/search-select.tsx';
import { nameNumbered } from '../name-ticket.view.ts';
import { nameStatus } from '../ticket-badge.view.tsx';

/** A ticket as an option of a selector: name, uploader, day, rows and state, and its company where there are several. */
export function optionOf(ticket: FoundTicket, superadmin: boolean): Option {
  const { ticket_number: number, date, total, status, company_code: company, uploaded_by: by } = ticket;
  const rows = m.tickets_rows_of({ count: total, number: formatNumber(total) });
  const facts = [by?.name, formatDay(date), rows, nameStatus(status), superadmin && company];
  return {
    value: number,
    label: nameNumbered(ticket),
    detail: facts.filter((fact) => typeof fact === 'string'),
  };
}
