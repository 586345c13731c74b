import type { FoundTicket } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatDay, formatNumber } from '#web/format/format.ts';
import type { Option } from '#web/ui/field/search-select.tsx';
import { nameNumbered } from '../name-ticket.view.ts';
import { nameStatus } from '../ticket-badge.view.tsx';

/** A ticket as an option of a selector: name, uploader, day, rows and state, and its company where there are several. */
export function optionOf(ticket: FoundTicket, superadmin: boolean): Option {
  const { total, status } = ticket;
  const rows = m.tickets_rows_of({ count: total, number: formatNumber(total) });
  return makeOption(ticket, superadmin, [rows, nameStatus(status)]);
}

/** The chosen ticket in a selector. The screen below shows its rows and state. */
export const chosenOf = (ticket: FoundTicket, superadmin: boolean): Option =>
  makeOption(ticket, superadmin, []);

function makeOption(ticket: FoundTicket, superadmin: boolean, progress: string[]): Option {
  const { ticket_number: number, date, company_code: company, uploaded_by: by } = ticket;
  const facts = [by?.name, formatDay(date), ...progress, superadmin && company];
  return {
    value: number,
    label: nameNumbered(ticket),
    detail: facts.filter((fact) => typeof fact === 'string'),
  };
}
