export type SlidingWindow = ReturnType<typeof createSlidingWindow>;

/** A started call. It counts until one window after it has surely arrived, or until it ends unsent. */
type WindowCall = {
  /**
   * Notes that the request is sent; opening the connection may have taken time. Only the first call has an effect.
   */
  sent(now: number): void;
  /** Ends the call. If it was sent, it goes on counting. */
  end(): void;
};

/** The longest time that a request takes to arrive at the source. */
const arrivalMs = 30;
/** How far calls may run ahead of an even rhythm, so that a late timer loses no call. */
const burstMs = 60;

/**
 * Returns the window of a limit in milliseconds: one second, or the time for one call if the limit is below one a
 * second.
 */
export function windowMsOf(perSecond: number | undefined): number {
  return 1000 / Math.min(1, perSecond ?? 1);
}

export function maxProxyWindowMs(limits: { per_proxy_per_second?: number | undefined }[]): number {
  return Math.max(1000, ...limits.map(({ per_proxy_per_second }) => windowMsOf(per_proxy_per_second)));
}

/**
 * Limits how many calls arrive at the source in any window of time, and spreads them evenly. Times are milliseconds
 * of one monotonic clock.
 */
export function createSlidingWindow(windowMs: number) {
  let limit: number | null = null;
  /** The latest arrival times of the sent calls that count, in order. */
  const arrivals: number[] = [];
  let unsent = 0;
  /** The start of the next call in an even rhythm. */
  let rhythm = 0;

  /** Returns how many calls count now, including unsent ones. */
  const counted = (now: number) => {
    while ((arrivals[0] ?? now) <= now - windowMs) arrivals.shift();
    return arrivals.length + unsent;
  };

  return {
    counted,
    /**
     * Returns the milliseconds until the next call may start: 0 for now, Infinity while the limit is 0 or too many
     * calls are unsent.
     * @param ahead the number of calls that go first
     */
    waitMs(now: number, ahead = 0) {
      if (limit === null) return 0;
      if (limit === 0) return Number.POSITIVE_INFINITY;
      const excess = counted(now) + ahead - limit + 1;
      const byCount = excess <= 0 ? 0 : (arrivals[excess - 1] ?? Number.POSITIVE_INFINITY) + windowMs - now;
      const next = ahead > 0 ? Math.max(rhythm, now) + (ahead * windowMs) / limit : rhythm;
      const byRhythm = next - Math.min(burstMs, windowMs / 4) - now;
      return Math.max(0, byCount, byRhythm);
    },
    start(startedAt: number): WindowCall {
      if (limit !== null && limit > 0) rhythm = Math.max(rhythm, startedAt) + windowMs / limit;
      unsent += 1;
      let isUnsent = true;
      const settle = () => {
        if (isUnsent) unsent -= 1;
        isUnsent = false;
      };
      return {
        sent(now) {
          if (!isUnsent) return;
          settle();
          // Also forgets calls that no longer count, where nobody asks for the wait.
          counted(now);
          arrivals.push(now + arrivalMs);
        },
        end: settle,
      };
    },
    /** Changes the limit; null for none. Earlier calls still count. */
    setLimit(count: number | null) {
      limit = count;
      rhythm = 0;
    },
  };
}
