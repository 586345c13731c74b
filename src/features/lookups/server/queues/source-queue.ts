import type { Source, SourceTools } from '#features/sources/server/configuration/source.ts';
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

/** One source and the rows that may be asked there next, with everything that says when. */
export type SourceQueue = {
  entry: ConfiguredSource;
  source: Source;
  rows: FairQueue<LookupRow>;
  /** Why the source may not be asked now; null while it may. */
  blockedBy: SourceBlock | null;
  failureStreak: FailureStreak;
  /** Whether rows have come to wait that the source has never refused the account at. */
  hasNewcomers: boolean;
  limiter: RateLimiter;
  /** Whether this worker has an allocation or comes to have one where it has rows; not while others have and want them all. */
  mayHaveAllocation: boolean;
  egress: Egress;
  callCounter: CallCounter;
  callRate: CallRate;
};

/** Whether a source has rows to ask about, and this worker has no allocation of its limits. */
export function lacksAllocation({ rows, blockedBy, limiter: { allocation } }: SourceQueue): boolean {
  return rows.size > 0 && blockedBy === null && (allocation.perSecond === 0 || allocation.concurrency === 0);
}

/** Whether this worker may ask a source or come to ask it, as far as the limits are concerned. */
export function isOpen({ mayHaveAllocation, limiter: { allocation } }: SourceQueue): boolean {
  return mayHaveAllocation || (allocation.perSecond !== 0 && allocation.concurrency !== 0);
}

/**
 * Whether other workers have and want all that the sources allow: then they are to have the rows, too. What an own list
 * answers is no reason to hold rows, since those that it does not know would wait here for the sources after it.
 */
export function isShutOut(sourceQueues: SourceQueue[]): boolean {
  const asked = sourceQueues.filter(({ entry, blockedBy }) => entry.remote && blockedBy === null);
  return asked.length > 0 && !asked.some(isOpen);
}

/** Whether a source has rows to ask about, and no proxy that could become free for them. */
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
      hasNewcomers: false,
      limiter,
      mayHaveAllocation: true,
      egress: entry.egress === 'proxies' ? createProxyEgress(entry.limits) : directEgress,
      callCounter: createCallCounter(),
      callRate: createCallRate(),
    });
  }
  return sourceQueues;
}
