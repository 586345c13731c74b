import type { Ticket } from '#features/tickets/tickets.contract.ts';
import { nameNumbered } from '#features/tickets/web/name-ticket.view.ts';
import { countTicketRows } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';

/** Describes the deleted and the kept data of a ticket; null if nothing was deleted. */
export function describeDeleted(ticket: Ticket): string | null {
  if (!ticket.serial_deleted && !ticket.coverage_deleted) return null;
  const { uploaded, results } = countTicketRows(ticket);
  const of = { ticket: nameNumbered(ticket) };
  if (uploaded > 0) return m.data_gone_results({ ...of, count: uploaded, number: formatNumber(uploaded) });
  if (results > 0) return m.data_gone_uploaded({ ...of, count: results, number: formatNumber(results) });
  return m.data_gone_all(of);
}

/** Returns whether the unfiltered list of results is empty. It includes pending rows. */
export function isEmpty(ticket: Ticket): boolean {
  const { uploaded, results } = countTicketRows(ticket);
  return ticket.coverage_deleted || uploaded + results === 0;
}
