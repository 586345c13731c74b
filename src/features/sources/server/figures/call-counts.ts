import type { OutcomeName } from '#features/sources/sources.contract.ts';

/** Latencies are counted in buckets that grow by a quarter: bucket n holds calls of up to 1.25^n milliseconds. */
const growth = 1.25;
/** The last bucket holds everything above some 5 minutes. */
const buckets = 58;

/** What a source's calls came to, since it was last taken. */
export type CallCounts = {
  calls: number;
  outcomes: Partial<Record<OutcomeName, number>>;
  latencies: number[];
  lastError: string | null;
};

/** Counts the calls of one source in this worker, until they are added to everybody's figures. */
export type CallCounter = {
  /** Notes a call that took `ms`, and what was wrong with it. */
  record(outcome: OutcomeName, ms: number, error: string | null): void;
  /** What was counted since the last time; null where there was nothing. */
  take(): CallCounts | null;
  /** Counts on from what was taken and not added. */
  putBack(counts: CallCounts): void;
};

export function createCallCounter(): CallCounter {
  const empty = (): CallCounts => ({ calls: 0, outcomes: {}, latencies: emptyLatencies(), lastError: null });
  let count = empty();
  return {
    record(outcome, ms, error) {
      count.calls += 1;
      count.outcomes[outcome] = (count.outcomes[outcome] ?? 0) + 1;
      const bucket = bucketOf(ms);
      if (error !== null) count.lastError = error;
      count.latencies[bucket] = (count.latencies[bucket] ?? 0) + 1;
    },
    take() {
      if (count.calls === 0) return null;
      const taken = count;
      count = empty();
      return taken;
    },
    putBack(counts) {
      count.calls += counts.calls;
      for (const [outcome, calls] of Object.entries(counts.outcomes) as [OutcomeName, number][])
        count.outcomes[outcome] = (count.outcomes[outcome] ?? 0) + calls;
      count.latencies = count.latencies.map((calls, bucket) => calls + (counts.latencies[bucket] ?? 0));
      // What came meanwhile is newer.
      count.lastError ??= counts.lastError;
    },
  };
}

/** The latency that `share` of the calls stayed within, in ms to within a quarter; null without calls. */
export function percentile(counts: number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let seen = 0;
  const index = counts.findIndex((count) => {
    seen += count;
    return seen >= total * share;
  });
  return Math.round(growth ** index * 10) / 10;
}

function emptyLatencies(): number[] {
  return Array.from({ length: buckets }, () => 0);
}

/** The bucket of a call that took `ms` milliseconds. */
function bucketOf(ms: number): number {
  if (ms <= 1) return 0;
  return Math.min(buckets - 1, Math.ceil(Math.log(ms) / Math.log(growth)));
}
