import type { OutcomeName } from '#features/coverage/coverage.contract.ts';
import { bucketOf, emptyLatencies } from './latency.ts';

/** What a source's calls came to, since it was last taken. */
export type HealthCount = {
  calls: number;
  outcomes: Partial<Record<OutcomeName, number>>;
  latencies: number[];
  lastError: string | null;
};

/** Counts the calls of one source in this worker, until they are added to everybody's figures. */
export type Health = {
  /** Notes a call that took `ms`, and what was wrong with it. */
  record(outcome: OutcomeName, ms: number, error: string | null): void;
  /** What was counted since the last time; null where there was nothing. */
  take(): HealthCount | null;
};

export function createHealth(): Health {
  const empty = (): HealthCount => ({ calls: 0, outcomes: {}, latencies: emptyLatencies(), lastError: null });
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
  };
}
