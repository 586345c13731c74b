/**
 * Keeps calls under a limit in every window of time at the other end, by strict count, and spreads them evenly within
 * it. Times are milliseconds of one monotonic clock.
 */
export type RateWindow = {
  /** Milliseconds until the next start is allowed; 0: now. Infinity while the limit is 0, or too many are unsent. */
  waitMs(now: number): number;
  start(now: number): WindowCall;
  /** Changes the limit; calls already made still count. Null: no limit. */
  setLimit(count: number | null): void;
};

/** A started call: it counts until a window after it has surely arrived, or until it ended without having been sent. */
export type WindowCall = {
  /** It was sent now: a connection may have had to come about first. Said again, it changes nothing. */
  sent(now: number): void;
  /** It is over: if it was sent, it had arrived by now. */
  end(now: number): void;
};

/** How long after it was sent a call may arrive at the other end. */
const arrivalMs = 30;
/** How far ahead of an even rhythm calls may run, so that a late timer costs nothing. */
const burstMs = 60;

/** @param windowMs the length of the window */
export function createRateWindow(windowMs: number): RateWindow {
  let limit: number | null = null;
  /** The latest times at which calls of the last window arrived, in order, from `head`. */
  let arrivals: number[] = [];
  let head = 0;
  /** When the calls were sent that may still be on their way, in order. */
  const travelling = new Set<{ sentAt: number }>();
  let unsent = 0;
  /** When the next start would come in an even rhythm. */
  let rhythm = 0;

  const review = (now: number) => {
    for (const call of travelling) {
      if (call.sentAt + arrivalMs > now) break;
      travelling.delete(call);
      arrivals.push(call.sentAt + arrivalMs);
    }
    while (head < arrivals.length && (arrivals[head] ?? 0) <= now - windowMs) head += 1;
    if (head > 1024 && head * 2 > arrivals.length) {
      arrivals = arrivals.slice(head);
      head = 0;
    }
  };

  /** When so many of the calls that count now will count no more. */
  const releaseOf = (count: number): number => {
    const known = arrivals.length - head;
    if (count <= known) return (arrivals[head + count - 1] ?? 0) + windowMs;
    let left = count - known;
    for (const { sentAt } of travelling) {
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
      const excess = arrivals.length - head + travelling.size + unsent - limit + 1;
      const byCount = excess <= 0 ? 0 : releaseOf(excess) - now;
      const byRhythm = rhythm - Math.min(burstMs, windowMs / 4) - now;
      return Math.max(0, byCount, byRhythm);
    },
    start(startedAt) {
      if (limit !== null && limit > 0) rhythm = Math.max(rhythm, startedAt) + windowMs / limit;
      unsent += 1;
      let call: { sentAt: number } | undefined;
      return {
        sent(now) {
          if (call) return;
          unsent -= 1;
          call = { sentAt: now };
          review(now);
          travelling.add(call);
        },
        end(now) {
          review(now);
          if (!call) unsent -= 1;
          else if (travelling.delete(call)) arrivals.push(now);
        },
      };
    },
    setLimit(count) {
      limit = count;
      rhythm = 0;
    },
  };
}
