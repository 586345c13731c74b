import type { Queryable } from '#server/db.ts';
import type { Lane } from '../source-queues/source-queue.ts';
import { readShares, type ShareRow, writeShares } from './allocations.queries.ts';
import { planShare } from './plan-allocation.ts';

/** A lane keeps its share this long after its last row, so that shares do not flap. */
const lingerMs = 1000;
/** How long a turn lasts where there is less than one for each worker. */
const turnMs = 10_000;
/** What was started last still counts this long after it was given up. */
const fadeMs = 1100;

type Held = {
  wantedAt: number;
  perSecond: number;
  concurrency: number;
  /** The most that was used of the rate lately, and until when that counts. */
  fading: { perSecond: number; until: number };
};

/** Asks for this worker's shares of the sources' limits, and hands them to the lanes' gates. */
export type Shares = {
  /**
   * One round, within a transaction in which nobody else changes shares.
   * @param paces the sources whose pace is reduced, in calls a second
   * @returns what hands the shares to the gates: to be called once the transaction is committed, since nothing may be
   * used that the others do not know of. What has to be given back is still published as used in this round.
   */
  settle(tx: Queryable, worker: string, paces: Map<string, number>): Promise<() => void>;
  /** Forgets what was held: this worker was away. */
  reset(): void;
};

export function createShares(lanes: Lane[]): Shares {
  const held = new Map<Lane, Held>();
  const none = (): Held => ({
    wantedAt: Number.NEGATIVE_INFINITY,
    perSecond: 0,
    concurrency: 0,
    fading: { perSecond: 0, until: 0 },
  });

  return {
    async settle(tx, worker, paces) {
      const rows = await readShares(tx);
      const turn = Math.floor(Date.now() / turnMs);
      const mine: ShareRow[] = [];
      const changes: (() => void)[] = [];
      for (const lane of lanes.filter(({ entry }) => entry.remote)) {
        const { name } = lane.entry;
        const state = held.get(lane) ?? none();
        held.set(lane, state);
        const now = performance.now();
        if (lane.queue.size > 0 || lane.gate.inFlight > 0) state.wantedAt = now;
        const wants = now - state.wantedAt < lingerMs;
        const others = rows.filter((row) => row.source === name && row.worker !== worker);
        const planOf = (
          limit: number,
          part: 'per_second' | 'concurrency',
          published: number,
          inUse: number,
        ) =>
          planShare({
            ...{ limit, me: worker, wants, published, inUse, turn },
            others: others.map((row) => ({ worker: row.worker, wants: row.wants, share: row[part] ?? 0 })),
          });

        const rate = rateOf(lane, paces.get(name));
        const fading = now < state.fading.until ? state.fading.perSecond : 0;
        const perSecond =
          rate === null
            ? null
            : planOf(rate, 'per_second', state.perSecond, Math.max(lane.gate.share.perSecond ?? 0, fading));
        const places = lane.entry.limits.concurrency ?? null;
        // Until the change is applied as many calls may start as before.
        const placesInUse = Math.max(lane.gate.share.concurrency ?? 0, lane.gate.inFlight);
        const concurrency =
          places === null ? null : planOf(places, 'concurrency', state.concurrency, placesInUse);
        changes.push(() => {
          if (perSecond && perSecond.use < (lane.gate.share.perSecond ?? 0)) {
            const windowMs = fadeMs / Math.min(1, lane.entry.limits.per_second ?? 1);
            state.fading = {
              perSecond: Math.max(fading, lane.gate.share.perSecond ?? 0),
              until: performance.now() + windowMs,
            };
          }
          state.perSecond = perSecond?.publish ?? 0;
          state.concurrency = concurrency?.publish ?? 0;
          lane.gate.setShare({ perSecond: perSecond?.use ?? null, concurrency: concurrency?.use ?? null });
        });
        mine.push({
          ...{ source: name, worker, wants },
          ...{ per_second: perSecond?.publish ?? null, concurrency: concurrency?.publish ?? null },
        });
      }
      if (mine.length > 0) await writeShares(tx, mine);
      return () => {
        for (const change of changes) change();
      };
    },
    reset() {
      held.clear();
      // What is answered without a network has no limits to share.
      for (const { entry, gate } of lanes) if (entry.remote) gate.hold();
    },
  };
}

/** What all workers together may start in a window; null: as much as they like. */
function rateOf({ entry }: Lane, pace: number | undefined): number | null {
  const limit = entry.limits.per_second;
  const count = limit === undefined ? null : Math.max(1, Math.floor(limit));
  if (pace === undefined) return count;
  return count === null ? pace : Math.min(count, pace);
}
