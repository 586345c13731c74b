import type { OutcomeName } from '#features/sources/sources.contract.ts';

/** The growth of latency buckets: bucket n counts calls of up to 1.25^n milliseconds. */
const growth = 1.25;
/** The last bucket counts all calls above about 5 minutes. */
const buckets = 58;

/** The counts of a source's calls since they were last taken. */
export type CallCounts = {
  calls: number;
  outcomes: Partial<Record<OutcomeName, number>>;
  latencies: number[];
  lastError: string | null;
  /** For how long they were counted. */
  ms: number;
};

/** Counts the calls of one source in this worker, until they are added to the shared figures. */
export type CallCounter = {
  record(outcome: OutcomeName, ms: number, error: string | null): void;
  /** Returns and resets the counts; null without calls. */
  take(): CallCounts | null;
  putBack(counts: CallCounts): void;
};

export function createCallCounter(): CallCounter {
  const empty = (): Omit<CallCounts, 'ms'> => ({
    calls: 0,
    outcomes: {},
    latencies: emptyLatencies(),
    lastError: null,
  });
  let count = empty();
  let since = performance.now();
  return {
    record(outcome, ms, error) {
      count.calls += 1;
      count.outcomes[outcome] = (count.outcomes[outcome] ?? 0) + 1;
      const bucket = bucketOf(ms);
      if (error !== null) count.lastError = error;
      count.latencies[bucket] = (count.latencies[bucket] ?? 0) + 1;
    },
    take() {
      const now = performance.now();
      const ms = now - since;
      since = now;
      if (count.calls === 0) return null;
      const counts = { ...count, ms };
      count = empty();
      return counts;
    },
    putBack(counts) {
      since -= counts.ms;
      count.calls += counts.calls;
      for (const [outcome, calls] of Object.entries(counts.outcomes) as [OutcomeName, number][])
        count.outcomes[outcome] = (count.outcomes[outcome] ?? 0) + calls;
      count.latencies = count.latencies.map((calls, bucket) => calls + (counts.latencies[bucket] ?? 0));
      // An error since then is newer.
      count.lastError ??= counts.lastError;
    },
  };
}

/** Returns the latency in ms, to within a quarter, that this share of calls did not exceed; null without calls. */
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

function bucketOf(ms: number): number {
  if (ms <= 1) return 0;
  return Math.min(buckets - 1, Math.ceil(Math.log(ms) / Math.log(growth)));
}
