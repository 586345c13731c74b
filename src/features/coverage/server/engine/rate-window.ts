/**
 * Keeps starts under a limit in every window of time, by strict count, and spreads them evenly within it. Times are
 * milliseconds of one monotonic clock.
 */
export type RateWindow = {
  /** Milliseconds until the next start is allowed; 0: now. Infinity while the limit is 0. */
  waitMs(now: number): number;
  start(now: number): void;
  /** Changes the limit; starts already made still count. Null: no limit. */
  setLimit(count: number | null): void;
};

/** How far ahead of an even rhythm starts may run, so that a late timer costs nothing. */
const burstMs = 60;

/** @param windowMs the length of the window, with whatever margin there is for how starts arrive at the other end */
export function createRateWindow(windowMs: number): RateWindow {
  let limit: number | null = null;
  /** The starts within the last window, oldest first from `head`. */
  let starts: number[] = [];
  let head = 0;
  /** When the next start would come in an even rhythm. */
  let rhythm = 0;

  const forget = (now: number) => {
    while (head < starts.length && (starts[head] ?? 0) <= now - windowMs) head += 1;
    if (head > 1024 && head * 2 > starts.length) {
      starts = starts.slice(head);
      head = 0;
    }
  };

  return {
    waitMs(now) {
      if (limit === null) return 0;
      if (limit === 0) return Number.POSITIVE_INFINITY;
      forget(now);
      const within = starts.length - head;
      const byCount = within < limit ? 0 : (starts[head + within - limit] ?? now) + windowMs - now;
      const byRhythm = rhythm - Math.min(burstMs, windowMs / 4) - now;
      return Math.max(0, byCount, byRhythm);
    },
    start(now) {
      if (limit !== null && limit > 0) rhythm = Math.max(rhythm, now) + windowMs / limit;
      forget(now);
      starts.push(now);
    },
    setLimit(count) {
      limit = count;
      rhythm = 0;
    },
  };
}
