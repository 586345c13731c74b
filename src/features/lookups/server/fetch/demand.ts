import { blockSize } from '../jobs/lookup-jobs.queries.ts';
import type { SourceQueue } from '../queues/source-queue.ts';

/** The rows to keep queued at a source, per allowed call in flight. */
const perSlot = 6.25;
/** A slow source keeps rows for this long, which is longer than a fetch takes. */
const minSeconds = 2;
/** With so many rows queued in total, no more are searched for a source in use that is short of them. */
const maxReady = 5000;
/** A source counts as in use for this long after its last row. */
const lingerMs = 2000;
/** The pause before more is fetched for a source that got no row from a fetch. */
const dryMs = 500;

export type Demand = ReturnType<typeof createDemand>;

/**
 * Computes how many rows the sources need, and so when jobs are fetched and how many.
 * @param concurrency the maximum number of calls in flight, over all sources
 */
export function createDemand(sourceQueues: SourceQueue[], concurrency: number) {
  const usedAt = new WeakMap<SourceQueue, number>();
  const dryUntil = new WeakMap<SourceQueue, number>();

  const targetOf = ({ entry, gate: { limiter } }: SourceQueue): number => {
    const { perSecond, concurrency: slots } = limiter.allocation;
    // A worker that has no row gets no allocation.
    const target = Math.max(1, Math.ceil(Math.min(concurrency, slots ?? concurrency) * perSlot));
    if (perSecond === null) return target;
    // Below one call a second, `perSecond` counts the calls of a longer window.
    const rate = perSecond * Math.min(1, entry.limits.per_second ?? 1);
    return Math.min(target, Math.max(1, Math.ceil(rate * minSeconds)));
  };
  const hasWork = ({ rows, gate }: SourceQueue) => rows.size > 0 || gate.inFlight > 0;
  const isInUse = (sourceQueue: SourceQueue, now: number): boolean => {
    if (hasWork(sourceQueue)) usedAt.set(sourceQueue, now);
    return now - (usedAt.get(sourceQueue) ?? Number.NEGATIVE_INFINITY) < lingerMs;
  };
  const listOpen = () => sourceQueues.filter(({ gate }) => gate.shutReason === null);

  return {
    /**
     * Returns how many rows to fetch of a company: the least target of the sources in use, or the most of all open ones if
     * none is. A job may have rows of each. With more rows for a slow source beside a fast one, one worker would hold all of a small ticket.
     */
    target() {
      const open = listOpen();
      if (open.length === 0) return blockSize;
      const used = open.filter(hasWork);
      return used.length > 0 ? Math.min(...used.map(targetOf)) : Math.max(...open.map(targetOf));
    },
    /** Returns the names of the sources that this worker may ask, and of those short of rows. */
    findSources() {
      const mayAsk = listOpen();
      const short = mayAsk.filter((sourceQueue) => sourceQueue.rows.size < targetOf(sourceQueue) / 2);
      const namesOf = (some: SourceQueue[]) => some.map(({ entry }) => entry.name);
      return { mayAsk: namesOf(mayAsk), short: namesOf(short) };
    },
    /** Returns how many more rows to fetch now; 0 while there are enough. */
    missing() {
      // Called at every wake-up, so it creates no lists.
      const now = performance.now();
      let queued = 0;
      let wanted = 0;
      let isAnyUp = false;
      for (const sourceQueue of sourceQueues) {
        const { shutReason } = sourceQueue.gate;
        queued += sourceQueue.rows.size;
        isAnyUp ||= shutReason === null || shutReason === 'elsewhere';
        if (shutReason === null) wanted += targetOf(sourceQueue);
      }
      // While no worker may ask any source, jobs are only fetched to learn which sources they wait for.
      if (!isAnyUp) return queued === 0 ? blockSize : 0;
      let missing = 0;
      for (const sourceQueue of sourceQueues) {
        if (sourceQueue.gate.shutReason !== null) continue;
        // The rows of a job are unknown before it is fetched. For a source without recent rows, only few rows are searched.
        const searchUpTo = isInUse(sourceQueue, now) ? maxReady : wanted;
        const isDry = queued > 0 && now < (dryUntil.get(sourceQueue) ?? 0);
        const target = targetOf(sourceQueue);
        // Fetches only below half of the target, because each fetch has a cost.
        if (isDry || queued >= searchUpTo || sourceQueue.rows.size >= target / 2) continue;
        missing = Math.max(missing, target - sourceQueue.rows.size);
      }
      return missing;
    },
    /** Notes the end of a fetch: a source whose queue is still empty is not fetched for again at once. */
    fetched() {
      const now = performance.now();
      for (const sourceQueue of sourceQueues)
        if (sourceQueue.rows.size === 0) dryUntil.set(sourceQueue, now + dryMs);
    },
  };
}
