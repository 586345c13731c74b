import type { Ticket } from '#features/tickets/tickets.contract.ts';
import { countRows } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';

/** What was deleted of a ticket and what is kept of it, in a sentence or two; null where nothing was deleted. */
export function describeDeleted(ticket: Ticket): string | null {
  if (!ticket.serial_deleted && !ticket.coverage_deleted) return null;
  const { uploaded, results } = countRows(ticket);
  const of = { ticket: ticket.ticket_number };
  if (uploaded > 0) return m.data_gone_results({ ...of, count: uploaded, number: formatNumber(uploaded) });
  if (results > 0) return m.data_gone_uploaded({ ...of, count: results, number: formatNumber(results) });
  return m.data_gone_all(of);
}

/** Whether the list of results has no row, whatever is searched for; rows that wait for a result stand in it too. */
export function isEmpty(ticket: Ticket): boolean {
  const { uploaded, results } = countRows(ticket);
  return ticket.coverage_deleted || uploaded + results === 0;
}
