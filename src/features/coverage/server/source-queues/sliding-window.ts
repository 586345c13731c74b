/**
 * Lets a limited number of calls arrive at the source in any window of time. It counts every call, and spreads calls
 * evenly within the window. Times are milliseconds of one monotonic clock.
 */
export type SlidingWindow = {
  /** Milliseconds until the next call may start; 0: now. Infinity while the limit is 0 or too many are not sent yet. */
  waitMs(now: number): number;
  start(now: number): WindowCall;
  /** Changes the limit; calls that were made before still count. Null: no limit. */
  setLimit(count: number | null): void;
};

/** A started call. It counts until one window after it has surely arrived, or until it ends without having been sent. */
type WindowCall = {
  /**
   * Its request is sent now: before that the connection may have had to be opened. Only the first time counts, and none
   * after the end: such a request is called off before it goes out.
   */
  sent(now: number): void;
  /** It is over, for good: if it was sent, it has arrived by now. */
  end(now: number): void;
};

/** The longest time that a request takes to arrive at the source. */
const arrivalMs = 30;
/** How far calls may run ahead of an even rhythm, so that a late timer loses no call. */
const burstMs = 60;

/** @param windowMs the length of the window */
export function createSlidingWindow(windowMs: number): SlidingWindow {
  let limit: number | null = null;
  /** When the calls of the last window arrived at the latest, in order, from index `head` on. */
  let arrivals: number[] = [];
  let head = 0;
  /** Calls that were started and not sent yet. */
  const unsent = new Set<WindowCall>();
  /** Calls that were sent and may still be on their way, in order, with the time of that. */
  const travelling = new Map<WindowCall, number>();
  /** When the next call would start in an even rhythm. */
  let rhythm = 0;

  const review = (now: number) => {
    for (const [call, sentAt] of travelling) {
      if (sentAt + arrivalMs > now) break;
      travelling.delete(call);
      arrivals.push(sentAt + arrivalMs);
    }
    while (head < arrivals.length && (arrivals[head] ?? 0) <= now - windowMs) head += 1;
    if (head > 1024 && head * 2 > arrivals.length) {
      arrivals = arrivals.slice(head);
      head = 0;
    }
  };

  /** When the first `count` of the calls that count now stop counting. */
  const releaseOf = (count: number): number => {
    const known = arrivals.length - head;
    if (count <= known) return (arrivals[head + count - 1] ?? 0) + windowMs;
    let left = count - known;
    for (const sentAt of travelling.values()) {
      left -= 1;
      if (left === 0) return sentAt + arrivalMs + windowMs;
    }
    return Number.POSITIVE_INFINITY;
  };

  return {
    waitMs(now) {
      if (limit === null) return 0;
      if (limit === 0) return Number.POSITIVE_INFINITY;
      review(now);
      const excess = arrivals.length - head + travelling.size + unsent.size - limit + 1;
      const byCount = excess <= 0 ? 0 : releaseOf(excess) - now;
      const byRhythm = rhythm - Math.min(burstMs, windowMs / 4) - now;
      return Math.max(0, byCount, byRhythm);
    },
    start(startedAt) {
      if (limit !== null && limit > 0) rhythm = Math.max(rhythm, startedAt) + windowMs / limit;
      const call: WindowCall = {
        sent(now) {
          if (!unsent.delete(call)) return;
          review(now);
          travelling.set(call, now);
        },
        end(now) {
          review(now);
          unsent.delete(call);
          if (travelling.delete(call)) arrivals.push(now);
        },
      };
      unsent.add(call);
      return call;
    },
    setLimit(count) {
      limit = count;
      rhythm = 0;
    },
  };
}
