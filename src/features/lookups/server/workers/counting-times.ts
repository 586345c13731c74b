import type { SourceEntry } from '#features/sources/server/configuration/source-kind.ts';
import { longestProxyWindowMs, windowMsOf } from '../gate/limits/sliding-window.ts';
import type { CountingTimes } from './workers.queries.ts';

/** Returns how long calls to these sources count towards their limits. */
export function countingTimesOf(entries: Pick<SourceEntry, 'name' | 'limits'>[]): CountingTimes {
  return {
    sources: entries.map(({ name, limits }) => ({ name, ms: windowMsOf(limits.per_second) })),
    proxiesMs: longestProxyWindowMs(entries.map(({ limits }) => limits)),
  };
}
