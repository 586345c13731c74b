import { longestProxyWindowMs, windowMsOf } from '../source-queues/sliding-window.ts';
import type { SourceEntry } from '../sources/source-kind.ts';
import type { CountingTimes } from './workers.queries.ts';

/** How long the calls to these sources count. */
export function countingTimesOf(entries: Pick<SourceEntry, 'name' | 'limits'>[]): CountingTimes {
  return {
    sources: entries.map(({ name, limits }) => ({ name, ms: windowMsOf(limits.per_second) })),
    proxiesMs: longestProxyWindowMs(entries.map(({ limits }) => limits)),
  };
}
