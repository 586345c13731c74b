import type { SourceEntry } from '#features/sources/server/configuration/source-kind.ts';
import type { Queryable } from '#server/db/db.ts';
import { type AllocationRow, listAllocations, writeAllocations } from './allocations.queries.ts';
import { isUsedElsewhere, planAllocation, turnMs } from './plan-allocation.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** A worker keeps the allocation of a source this long after its last row, so that allocations do not flap. */
const lingerMs = 1000;

type LimitName = 'per_second' | 'concurrency';

export type LimitAllocator = ReturnType<typeof createLimitAllocator>;

type AllocatedSource = {
  entry: Pick<SourceEntry, 'name' | 'limits' | 'remote'>;
  gate: { limiter: RateLimiter };
  rows: { readonly size: number };
};

/**
 * Divides the sources' limits among the workers, and sets the allocations of this worker's rate limiters.
 * @param options `insists`: whether this worker wants an allocation even if the others want all of the limit
 */
export function createLimitAllocator(
  sourceQueues: AllocatedSource[],
  { insists = false }: { insists?: boolean } = {},
) {
  const wantedAt = new Map<AllocatedSource, number>();

  return {
    /**
     * Computes and publishes this worker's allocations, in a transaction in which no other worker changes any.
     * @param paces the reduced paces, in calls a second, by source
     * @returns a function that sets the rate limiters, given the time until which the permits are valid. Call it after
     * the commit, because only published allocations may be used. An allocation that has to be reduced is published
     * unreduced in this round.
     */
    async allocate(tx: Queryable, worker: string, paces: Map<string, number>) {
      const rows = await listAllocations.all(tx);
      const turn = Math.floor(Date.now() / turnMs);
      const mine: AllocationRow[] = [];
      const changes: ((until: number) => void)[] = [];
      for (const sourceQueue of sourceQueues.filter(({ entry }) => entry.remote)) {
        const {
          entry,
          gate: { limiter },
        } = sourceQueue;
        const now = performance.now();
        if (sourceQueue.rows.size > 0 || limiter.inFlight > 0) wantedAt.set(sourceQueue, now);
        const own = rows.find((row) => row.source === entry.name && row.worker === worker);
        const others = rows.filter((row) => row.source === entry.name && row.worker !== worker);
        const othersWith = (name: LimitName) =>
          others.map((row) => ({ worker: row.worker, wants: row.wants, allocated: row[name] ?? 0 }));

        const rate = rateOf(sourceQueue, paces.get(entry.name));
        const slots = entry.limits.concurrency ?? null;
        // Until the change is applied, calls may start by the old allocation.
        const rateInUse = Math.max(limiter.allocation.perSecond ?? 0, limiter.counted(now));
        const slotsInUse = Math.max(limiter.allocation.concurrency ?? 0, limiter.inFlight);
        const requests = [
          { name: 'per_second' as const, limit: rate, published: own?.per_second ?? 0, inUse: rateInUse },
          { name: 'concurrency' as const, limit: slots, published: own?.concurrency ?? 0, inUse: slotsInUse },
        ];
        const isElsewhere = requests.some(
          ({ name, limit, published }) =>
            limit !== null && isUsedElsewhere({ limit, others: othersWith(name), published }),
        );
        const idleMs = now - (wantedAt.get(sourceQueue) ?? Number.NEGATIVE_INFINITY);
        const wants = (!isElsewhere || insists) && idleMs < lingerMs;
        const [perSecond, concurrency] = requests.map(({ name, limit, published, inUse }) =>
          limit === null
            ? null
            : planAllocation({
                limit,
                me: worker,
                wants,
                published,
                inUse,
                turn,
                others: othersWith(name),
              }),
        );
        changes.push((until) => {
          const use = { perSecond: perSecond?.use ?? null, concurrency: concurrency?.use ?? null };
          limiter.setAllocation(use, until, isElsewhere);
        });
        mine.push({
          source: entry.name,
          worker,
          wants,
          per_second: perSecond?.publish ?? null,
          concurrency: concurrency?.publish ?? null,
        });
      }
      if (mine.length > 0) await writeAllocations.run(tx, { rows: mine });
      return (until: number) => {
        for (const change of changes) change(until);
      };
    },
  };
}

/** Returns how many calls all workers together may start per window; null without a limit. */
function rateOf({ entry }: AllocatedSource, pace: number | undefined): number | null {
  const limit = entry.limits.per_second;
  const count = limit === undefined ? null : Math.max(1, Math.floor(limit));
  if (pace === undefined) return count;
  return count === null ? pace : Math.min(count, pace);
}
