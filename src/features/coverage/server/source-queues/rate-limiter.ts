import { createSlidingWindow, windowMsOf } from './sliding-window.ts';

/** The part of a source's limits that this worker may use now; null: there is no such limit. */
type Allocation = { perSecond: number | null; concurrency: number | null };

/** A call that the limiter counts. */
type LimitedCall = {
  /** Its request goes out to the source now. @returns false where it must not, since the permit has expired */
  send(): boolean;
  /** Its request went out. */
  sent(): void;
  /** It is over. */
  end(): void;
};

/** Keeps the calls of one source within this worker's allocation of its limits. Times are `performance.now()`. */
export type RateLimiter = {
  /** Milliseconds until a call may start; 0: now; Infinity: not before something changes. */
  waitMs(now: number): number;
  /** Counts a call that starts now. */
  start(now: number): LimitedCall;
  /** @param until when the permit to use it expires, if it is not renewed before: a frozen worker fences itself */
  setAllocation(allocation: Allocation, until?: number): void;
  /**
   * Takes the allocation away until there is a new one, also from calls that have started and are not sent: this worker
   * lost its connection to the others.
   */
  suspend(): void;
  /** How many calls count towards the rate now: others may not have so much of it. */
  counted(now: number): number;
  readonly inFlight: number;
  readonly allocation: Allocation;
};

/**
 * @param perSecond the source's own limit; below 1 it means one call in 1 / perSecond seconds
 */
export function createRateLimiter(perSecond: number | undefined): RateLimiter {
  const window = createSlidingWindow(windowMsOf(perSecond));
  let allocation: Allocation = { perSecond: 0, concurrency: 0 };
  let inFlight = 0;
  let expiresAt = Number.POSITIVE_INFINITY;
  window.setLimit(0);

  return {
    waitMs(now) {
      if (now >= expiresAt) return Number.POSITIVE_INFINITY;
      if (allocation.concurrency !== null && inFlight >= allocation.concurrency)
        return Number.POSITIVE_INFINITY;
      return window.waitMs(now);
    },
    start(now) {
      const call = window.start(now);
      inFlight += 1;
      return {
        send() {
          const sentAt = performance.now();
          if (sentAt >= expiresAt) return false;
          call.sent(sentAt);
          return true;
        },
        sent() {
          call.sent(performance.now());
        },
        end() {
          call.end(performance.now());
          inFlight -= 1;
        },
      };
    },
    setAllocation(given, until = expiresAt) {
      expiresAt = until;
      if (given.perSecond !== allocation.perSecond) window.setLimit(given.perSecond);
      allocation = given;
    },
    suspend() {
      allocation = { perSecond: 0, concurrency: 0 };
      expiresAt = Number.NEGATIVE_INFINITY;
      window.setLimit(0);
    },
    counted: (now) => window.counted(now),
    get inFlight() {
      return inFlight;
    },
    get allocation() {
      return allocation;
    },
  };
}
