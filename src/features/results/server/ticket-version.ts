import type { TicketRow } from '#features/tickets/server/tickets.service.ts';
import { isRunning } from '#features/tickets/ticket-status.shared.ts';

/** Running tickets with more rows are not counted again after each result, because that takes too long. */
const maxExactRows = 50_000;
/** How long the counts of such a ticket are used. */
const runningMs = 5000;

/**
 * Returns a value that changes whenever the rows of a ticket change, because each result, retry and deletion also changes
 * the ticket. For a large running ticket it changes every five seconds instead.
 */
export function versionOf(ticket: TicketRow): unknown[] {
  const { id, total, serial_deleted, coverage_deleted } = ticket;
  const rows = [id, total, serial_deleted, coverage_deleted];
  if (isRunning(ticket) && total > maxExactRows) return [...rows, Math.floor(performance.now() / runningMs)];
  const { status, done, failed, unavailable, activated, unactivated, finished_at } = ticket;
  return [...rows, status, done, failed, unavailable, activated, unactivated, finished_at];
}
