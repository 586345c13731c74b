/**
 * Keeps calls under a limit in every window of time, by strict count, and spreads them evenly within it. A call counts
 * from its start until a window after it was really sent: a connection may have to come about first. Times are
 * milliseconds of one monotonic clock.
 */
export type RateWindow = {
  /** Milliseconds until the next start is allowed; 0: now. Infinity while the limit is 0, or too many are unsent. */
  waitMs(now: number): number;
  start(now: number): void;
  /** One of the started calls was sent now. */
  sent(now: number): void;
  /** One of the started calls came to an end without having been sent. */
  unsent(): void;
  /** Changes the limit; calls already made still count. Null: no limit. */
  setLimit(count: number | null): void;
};

/** How far ahead of an even rhythm calls may run, so that a late timer costs nothing. */
const burstMs = 60;

/** @param windowMs the length of the window, with whatever margin there is for how times arrive at the other end */
export function createRateWindow(windowMs: number): RateWindow {
  let limit: number | null = null;
  /** When the calls of the last window were sent, oldest first from `head`. */
  let times: number[] = [];
  let head = 0;
  let underway = 0;
  /** When the next start would come in an even rhythm. */
  let rhythm = 0;

  const forget = (now: number) => {
    while (head < times.length && (times[head] ?? 0) <= now - windowMs) head += 1;
    if (head > 1024 && head * 2 > times.length) {
      times = times.slice(head);
      head = 0;
    }
  };

  return {
    waitMs(now) {
      if (limit === null) return 0;
      if (limit === 0) return Number.POSITIVE_INFINITY;
      forget(now);
      const within = times.length - head + underway;
      const next = head + within - limit;
      if (within >= limit && next >= times.length) return Number.POSITIVE_INFINITY;
      const byCount = within < limit ? 0 : (times[next] ?? now) + windowMs - now;
      const byRhythm = rhythm - Math.min(burstMs, windowMs / 4) - now;
      return Math.max(0, byCount, byRhythm);
    },
    start(now) {
      if (limit !== null && limit > 0) rhythm = Math.max(rhythm, now) + windowMs / limit;
      underway += 1;
    },
    sent(now) {
      underway -= 1;
      forget(now);
      times.push(now);
    },
    unsent() {
      underway -= 1;
    },
    setLimit(count) {
      limit = count;
      rhythm = 0;
    },
  };
}
