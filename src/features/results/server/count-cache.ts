import type { TicketRow } from '#features/tickets/server/tickets.service.ts';
import { isRunning } from '#shared/ticket-status.ts';

/** Entries of a few kilobytes each. */
const mostKept = 500;
/** Larger running tickets are not counted again after each result, because that takes too long. */
const exactRows = 50_000;
/** Milliseconds that a count of such a ticket is used. */
const runningMs = 5000;

/** Caches the latest counts of tickets' rows. Concurrent calls share one count. Each process has one cache. */
export class CountCache {
  readonly #counts = new Map<string, Promise<unknown>>();

  /**
   * Returns a cached count, or counts.
   * @param question everything that the count depends on; for a ticket its `versionOf`
   */
  get<T>(question: unknown[], count: () => Promise<T>): Promise<T> {
    const key = JSON.stringify(question);
    const counted = (this.#counts.get(key) as Promise<T> | undefined) ?? count();
    // The least recently used entry is the first.
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
 * Returns a value that changes with the rows of a ticket: each result, retry and deletion changes the ticket as well. The
 * value of a large running ticket changes every five seconds instead.
 */
export function versionOf(ticket: TicketRow): unknown[] {
  const { id, total, serial_deleted, coverage_deleted } = ticket;
  const rows = [id, total, serial_deleted, coverage_deleted];
  if (isRunning(ticket) && total > exactRows) return [...rows, Math.floor(performance.now() / runningMs)];
  const { status, done, failed, unavailable, activated, unactivated, finished_at } = ticket;
  return [...rows, status, done, failed, unavailable, activated, unactivated, finished_at];
}
