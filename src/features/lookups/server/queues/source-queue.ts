import type { OpenedSource, SourceTools } from '#features/sources/server/configuration/source.ts';
import type { ConfiguredSource } from '#features/sources/server/configuration/sources-file.ts';
import type { CallCounter } from '#features/sources/server/figures/call-counts.ts';
import { createCallCounter } from '#features/sources/server/figures/call-counts.ts';
import type { SourceBlock } from '#features/sources/server/states/source-states.queries.ts';
import type { LookupRow } from '../rows/batch.ts';
import { type CallRate, createCallRate } from './call-rate.ts';
import { directEgress, type Egress } from './egress.ts';
import { createFailureStreak, type FailureStreak } from './failure-streak.ts';
import { createFairQueue, type FairQueue } from './fair-queue.ts';
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts';

/** One source, the rows to ask it about, and the state that decides when. */
export type SourceQueue = {
  entry: ConfiguredSource;
  source: OpenedSource;
  rows: FairQueue<LookupRow>;
  /** The reason why the source may not be asked now; null while it may. */
  blockedBy: SourceBlock | null;
  failureStreak: FailureStreak;
  limiter: RateLimiter;
  /** Whether this worker has an allocation, or gets one when it has rows. False while others use all of the limit. */
  mayHaveAllocation: boolean;
  egress: Egress;
  callCounter: CallCounter;
  callRate: CallRate;
};

/** Returns whether a source has rows, but this worker has no allocation of its limits. */
export function lacksAllocation({ rows, blockedBy, limiter: { allocation } }: SourceQueue): boolean {
  return rows.size > 0 && blockedBy === null && (allocation.perSecond === 0 || allocation.concurrency === 0);
}

/** Returns whether the limits let this worker ask a source, now or soon. */
export function isOpen({ mayHaveAllocation, limiter: { allocation } }: SourceQueue): boolean {
  return mayHaveAllocation || (allocation.perSecond !== 0 && allocation.concurrency !== 0);
}

/**
 * Returns whether other workers use up the limits of all remote sources, and so should get the rows. Registries do
 * not count: rows that a registry does not know would wait here for the next source.
 */
export function isShutOut(sourceQueues: SourceQueue[]): boolean {
  const asked = sourceQueues.filter(({ entry, blockedBy }) => entry.remote && blockedBy === null);
  return asked.length > 0 && !asked.some(isOpen);
}

/** Returns whether a source has rows, but no proxy that could become free. */
export function lacksProxies({ entry, rows, blockedBy, limiter, egress }: SourceQueue): boolean {
  const waits = entry.egress === 'proxies' && rows.size > 0 && blockedBy === null && limiter.inFlight === 0;
  return waits && egress.waitMs(performance.now()) === Number.POSITIVE_INFINITY;
}

/** Opens every enabled source and gives it a queue, in the order in which the sources are asked. */
export async function openSourceQueues(
  sources: ConfiguredSource[],
  tools: SourceTools,
  createProxyEgress: (limits: ConfiguredSource['limits']) => Egress,
): Promise<SourceQueue[]> {
  const sourceQueues: SourceQueue[] = [];
  for (const entry of sources.filter(({ enabled }) => enabled)) {
    const limiter = createRateLimiter(entry.limits.per_second);
    // A source that is asked without a network has no limits to share.
    if (!entry.remote) limiter.setAllocation({ perSecond: null, concurrency: null });
    sourceQueues.push({
      entry,
      source: await entry.open(tools),
      rows: createFairQueue(),
      blockedBy: null,
      failureStreak: createFailureStreak(),
      limiter,
      mayHaveAllocation: true,
      egress: entry.egress === 'proxies' ? createProxyEgress(entry.limits) : directEgress,
      callCounter: createCallCounter(),
      callRate: createCallRate(),
    });
  }
  return sourceQueues;
}
