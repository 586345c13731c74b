import type { TicketRow } from '#features/tickets/server/tickets.service.ts';
import { isRunning } from '#shared/ticket-status.ts';

/** Each of a few kilobytes at most. */
const mostKept = 500;
/** Counting the rows of a larger ticket takes too long to be done again after each of its results. */
const exactRows = 50_000;
/** How old a count of such a ticket may be while it runs, in milliseconds. */
const runningMs = 5000;

/** Keeps the latest counts over tickets' rows. Concurrent calls share one count. One for the process. */
export class CountCache {
  readonly #counts = new Map<string, Promise<unknown>>();

  /**
   * Returns a kept count, or counts.
   * @param question everything that the count depends on: of a ticket its `versionOf`
   */
  get<T>(question: unknown[], count: () => Promise<T>): Promise<T> {
    const key = JSON.stringify(question);
    const counted = (this.#counts.get(key) as Promise<T> | undefined) ?? count();
    // The latest stand last.
    this.#counts.delete(key);
    this.#counts.set(key, counted);
    counted.catch(() => this.#counts.delete(key));
    for (const oldest of this.#counts.keys()) {
      if (this.#counts.size <= mostKept) break;
      this.#counts.delete(oldest);
    }
    return counted;
  }
}

/**
 * Returns a value that changes with the rows of a ticket, since each result, retry and deletion changes the ticket as
 * well; that of a large ticket that runs changes every five seconds instead.
 */
export function versionOf(ticket: TicketRow): unknown[] {
  const { id, total, serial_deleted, coverage_deleted } = ticket;
  const rows = [id, total, serial_deleted, coverage_deleted];
  if (isRunning(ticket) && total > exactRows) return [...rows, Math.floor(performance.now() / runningMs)];
  const { status, done, failed, unavailable, activated, unactivated, finished_at } = ticket;
  return [...rows, status, done, failed, unavailable, activated, unactivated, finished_at];
}
