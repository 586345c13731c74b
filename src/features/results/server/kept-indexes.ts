import type { TicketRow } from '#features/tickets/server/tickets.service.ts';
import type { Db } from '#server/db.ts';
import type { Log } from '#server/log.ts';
import { isRunning } from '#shared/ticket-status.ts';
import { findRowsVersion } from './row-index.queries.ts';
import { loadRowIndex, type RowIndex } from './row-index.ts';

const bounds = {
  /** Rows of all kept indexes together, at eight bytes each; the latest index is kept whatever its size. */
  mostRows: 4_000_000,
  /** While its ticket runs, an index of more rows is answered as it was. */
  exactRows: 50_000,
  /** Such an index is loaded for at most this part of the time. */
  shareOfTime: 0.1,
};

type Kept = {
  /** As the ticket's rows were, or older than them. */
  version: string | undefined;
  index: Promise<RowIndex>;
  since: number;
  /** How long it took to load, and how many rows it has; 0 until it is there. */
  took: number;
  size: number;
  refreshing: boolean;
};

/**
 * The indexes of the tickets that were asked for last. That of an ended ticket is exact. That of one that runs is exact
 * while it is small; a large one, whose rows change all the time, is answered as it was some seconds ago, so that
 * questions about it cost the database no more the more often they are asked.
 */
export class KeptIndexes {
  readonly #kept = new Map<number, Kept>();
  readonly #log: Pick<Log, 'warn'>;
  readonly #bounds: typeof bounds;

  constructor(log: Pick<Log, 'warn'>, changed: Partial<typeof bounds> = {}) {
    this.#log = log;
    this.#bounds = { ...bounds, ...changed };
  }

  async get(db: Db, ticket: TicketRow): Promise<RowIndex> {
    const version = await findRowsVersion(db, ticket.id);
    let kept = this.#kept.get(ticket.id);
    if (kept && kept.version !== version) {
      if (isRunning(ticket) && kept.size > this.#bounds.exactRows)
        this.#refresh(db, ticket.id, version, kept);
      else kept = undefined;
    }
    kept ??= load(db, ticket.id, version);
    this.#keep(ticket.id, kept);
    return kept.index;
  }

  /** Loads an index anew while the old one is answered. */
  #refresh(db: Db, ticketId: number, version: string | undefined, old: Kept): void {
    if (old.refreshing || old.since + old.took / this.#bounds.shareOfTime > performance.now()) return;
    old.refreshing = true;
    const fresh = load(db, ticketId, version);
    fresh.index.then(
      () => this.#keep(ticketId, fresh),
      (error: Error) => {
        this.#log.warn({ err: error, ticketId }, 'the index of a running ticket could not be loaded anew');
        old.since = performance.now();
        old.refreshing = false;
      },
    );
  }

  /** Keeps an index as the latest, and no older ones than there is room for. */
  #keep(ticketId: number, kept: Kept): void {
    this.#kept.delete(ticketId);
    this.#kept.set(ticketId, kept);
    kept.index.catch(() => {
      if (this.#kept.get(ticketId) === kept) this.#kept.delete(ticketId);
    });
    let rows = 0;
    for (const [id, { size }] of [...this.#kept].reverse()) {
      rows += size;
      if (id !== ticketId && rows > this.#bounds.mostRows) this.#kept.delete(id);
    }
  }
}

function load(db: Db, ticketId: number, version: string | undefined): Kept {
  const since = performance.now();
  const kept: Kept = {
    ...{ version, since, took: 0, size: 0, refreshing: false },
    index: loadRowIndex(db, ticketId).then((index) => {
      kept.took = performance.now() - since;
      kept.size = index.groupOf.length;
      return index;
    }),
  };
  return kept;
}
