import { isOpen, isShutOut, type SourceQueue } from '../queues/source-queue.ts';

/** Rows that are kept in a source's queue: so many per place, or as many as are asked about in half a second. */
const perPlace = 6.25;
const readySeconds = 0.5;
/** A source with a small rate has rows for so many seconds: a fetch takes less. */
const leastSeconds = 2;
/** The most rows kept, in one queue and in all. */
const mostReady = 5000;
/** A source is in use this long after its last row. */
const lingerMs = 2000;
/** When more is fetched for a source that got nothing of a fetch. */
const dryMs = 500;

/** How many rows the sources could use: that says when jobs are fetched, and how many. */
export type Demand = {
  /** How many rows there should be in the queue of the source that uses most. */
  target(): number;
  /** How many more rows should be fetched now; 0 while there are enough. */
  missing(): number;
  /** The sources that are enabled, those that this worker may ask or come to ask, and of these the ones short of rows. */
  findSources(): Record<'enabled' | 'mayAsk' | 'short', string[]>;
  /** Whether this worker may come to ask about what it fetches. */
  mayFetch(): boolean;
  /** To be called after a fetch: a source whose queue is still empty is not fetched for again at once. */
  fetched(): void;
};

/** @param concurrency the most calls in flight, over all sources */
export function createDemand(sourceQueues: SourceQueue[], concurrency: number): Demand {
  const usedAt = new WeakMap<SourceQueue, number>();
  const dryUntil = new WeakMap<SourceQueue, number>();

  const targetOf = ({ entry, limiter, callRate }: SourceQueue, now: number): number => {
    const { perSecond, concurrency: places } = limiter.allocation;
    // A worker that has no row gets no allocation.
    const byPlaces = Math.max(1, Math.ceil(Math.min(concurrency, places ?? concurrency) * perPlace));
    const target = Math.max(byPlaces, Math.min(mostReady, callRate.perSecond(now) * readySeconds));
    if (perSecond === null) return target;
    // Below one a second the allocation is of calls in a longer window.
    const rate = perSecond * Math.min(1, entry.limits.per_second ?? 1);
    return Math.min(target, Math.max(1, Math.ceil(rate * leastSeconds)));
  };
  const isInUse = (sourceQueue: SourceQueue, now: number): boolean => {
    if (sourceQueue.rows.size > 0 || sourceQueue.limiter.inFlight > 0) usedAt.set(sourceQueue, now);
    return now - (usedAt.get(sourceQueue) ?? Number.NEGATIVE_INFINITY) < lingerMs;
  };
  const listOpen = () =>
    sourceQueues.filter((sourceQueue) => sourceQueue.blockedBy === null && isOpen(sourceQueue));

  return {
    target() {
      const now = performance.now();
      return Math.max(1, ...listOpen().map((sourceQueue) => targetOf(sourceQueue, now)));
    },
    findSources() {
      const now = performance.now();
      const mayAsk = listOpen();
      const short = mayAsk.filter((sourceQueue) => sourceQueue.rows.size < targetOf(sourceQueue, now) / 2);
      const namesOf = (some: SourceQueue[]) => some.map(({ entry }) => entry.name);
      return { enabled: namesOf(sourceQueues), mayAsk: namesOf(mayAsk), short: namesOf(short) };
    },
    mayFetch: () => !isShutOut(sourceQueues),
    missing() {
      // Asked at every wake-up, so that nothing is listed for what only counts.
      const now = performance.now();
      let ready = 0;
      let wanted = 0;
      let isAnyAvailable = false;
      for (const sourceQueue of sourceQueues) {
        ready += sourceQueue.rows.size;
        if (sourceQueue.blockedBy !== null) continue;
        isAnyAvailable = true;
        if (isOpen(sourceQueue)) wanted += targetOf(sourceQueue, now);
      }
      // While no source may be asked, jobs are only fetched to learn what they wait for.
      if (!isAnyAvailable) return ready === 0 ? 1 : 0;
      let missing = 0;
      for (const sourceQueue of sourceQueues) {
        if (sourceQueue.blockedBy !== null || !isOpen(sourceQueue)) continue;
        // Nobody knows which rows a job has. For a source that has had none lately only few are looked through.
        const most = isInUse(sourceQueue, now) ? mostReady : wanted;
        const isDry = ready > 0 && now < (dryUntil.get(sourceQueue) ?? 0);
        const target = targetOf(sourceQueue, now);
        // Half of the target lasts for a while; to fill up after every few rows would cost more than it brings.
        if (isDry || ready >= most || sourceQueue.rows.size >= target / 2) continue;
        missing = Math.max(missing, target - sourceQueue.rows.size);
      }
      return missing;
    },
    fetched() {
      const now = performance.now();
      for (const sourceQueue of sourceQueues)
        if (sourceQueue.rows.size === 0) dryUntil.set(sourceQueue, now + dryMs);
    },
  };
}
