import type { TicketRow } from '#features/tickets/server/tickets.service.ts';
import { isRunning } from '#features/tickets/ticket-status.shared.ts';

const maxEntries = 500; // a few kilobytes each
/** Running tickets with more rows are not counted again after each result, because that takes too long. */
const maxExactRows = 50_000;
/** How long the counts of such a ticket are used. */
const runningMs = 5000;

/** Caches counts of tickets' rows. Concurrent calls with the same key share one query. Each process has one cache. */
export class CountCache {
  readonly #counts = new Map<string, Promise<unknown>>();

  /**
   * Returns the cached count of a key, or counts.
   * @param dependencies all values that the count depends on; for a ticket its `versionOf`
   */
  get<T>(dependencies: unknown[], count: () => Promise<T>): Promise<T> {
    const key = JSON.stringify(dependencies);
    const counted = (this.#counts.get(key) as Promise<T> | undefined) ?? count();
    // The least recently used entry is the first.
    this.#counts.delete(key);
    this.#counts.set(key, counted);
    counted.catch(() => this.#counts.delete(key));
    for (const oldest of this.#counts.keys()) {
      if (this.#counts.size <= maxEntries) break;
      this.#counts.delete(oldest);
    }
    return counted;
  }
}

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
