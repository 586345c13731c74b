import type { Permit, Permits } from '#features/sources/server/http/permits.ts';
import { createPermitQueue } from './permit-queue.ts';
import { createSlidingWindow, windowMsOf } from './sliding-window.ts';

/** The part of a source's limits that this worker may use now; null: there is no such limit. */
type Allocation = { perSecond: number | null; concurrency: number | null };

/**
 * A call that the limiter counts. It takes a place; every request of it takes a permit, the first one that was set aside
 * for it.
 */
type LimitedCall = Permits & {
  /** It is over. */
  end(): void;
};

/** Keeps the requests of one source within this worker's allocation of its limits. Times are `performance.now()`. */
export type RateLimiter = {
  /** Milliseconds until a call may start; 0: now; Infinity: not before something changes. */
  waitMs(now: number): number;
  /**
   * Counts a call that starts now.
   * @param onSent called whenever a request of it goes out
   */
  start(onSent?: () => void): LimitedCall;
  /** Calls back when calls may start for another reason than that one has ended or time has passed. */
  onFree(listener: () => void): void;
  /** @param until when the permit to use it expires, if it is not renewed before: a frozen worker fences itself */
  setAllocation(allocation: Allocation, until?: number): void;
  /**
   * Takes the allocation away until there is a new one, also from requests that wait or are not sent: this worker lost its
   * connection to the others.
   */
  suspend(): void;
  /** How many requests count towards the rate now: others may not have so much of it. */
  counted(now: number): number;
  /** Places that are taken or waited for. */
  readonly inFlight: number;
  readonly allocation: Allocation;
};

/**
 * @param perSecond the source's own limit; below 1 it means one request in 1 / perSecond seconds
 */
export function createRateLimiter(perSecond: number | undefined): RateLimiter {
  const window = createSlidingWindow(windowMsOf(perSecond));
  const queue = createPermitQueue((now) => permitWaitMs(now));
  let allocation: Allocation = { perSecond: 0, concurrency: 0 };
  /** Calls that are not over, and those of them that have made no request yet. */
  let calls = 0;
  let untried = 0;
  /** Permits that are given and not over. */
  let requests = 0;
  let expiresAt = Number.POSITIVE_INFINITY;
  let onFree = () => {};
  window.setLimit(0);

  const isExpired = (now: number) => now >= expiresAt;
  const hasPlace = (taken: number) => allocation.concurrency === null || taken < allocation.concurrency;
  /** Milliseconds until a request may have its permit; undefined: there is none to be had. */
  const permitWaitMs = (now: number): number | undefined => {
    if (isExpired(now) || allocation.perSecond === 0 || allocation.concurrency === 0) return undefined;
    return hasPlace(requests) ? window.waitMs(now) : Number.POSITIVE_INFINITY;
  };

  const give = (isFirst: boolean, onSent: () => void): Permit => {
    const counted = window.start(performance.now());
    requests += 1;
    let over = false;
    return {
      send() {
        const now = performance.now();
        if (over || isExpired(now)) return false;
        counted.sent(now);
        onSent();
        queue.review();
        return true;
      },
      end() {
        if (over) return;
        over = true;
        requests -= 1;
        counted.end(performance.now());
        queue.review();
        // That a call ends with its first request is told by the call.
        if (!isFirst) onFree();
      },
    };
  };

  return {
    waitMs(now) {
      if (isExpired(now)) return Number.POSITIVE_INFINITY;
      const ahead = untried + queue.length;
      if (!hasPlace(calls) || !hasPlace(requests + ahead)) return Number.POSITIVE_INFINITY;
      return window.waitMs(now, ahead);
    },
    start(onSent = () => {}) {
      calls += 1;
      untried += 1;
      let isUntried = true;
      const tryOnce = () => {
        if (isUntried) untried -= 1;
        isUntried = false;
      };
      return {
        take(signal) {
          const isFirst = isUntried;
          tryOnce();
          if (queue.length === 0 && permitWaitMs(performance.now()) === 0) return give(isFirst, onSent);
          return queue.join(() => give(false, onSent), signal);
        },
        end() {
          tryOnce();
          calls -= 1;
        },
      };
    },
    onFree(listener) {
      onFree = listener;
    },
    setAllocation(given, until = expiresAt) {
      expiresAt = until;
      if (given.perSecond !== allocation.perSecond) window.setLimit(given.perSecond);
      allocation = given;
      queue.review();
    },
    suspend() {
      allocation = { perSecond: 0, concurrency: 0 };
      expiresAt = Number.NEGATIVE_INFINITY;
      window.setLimit(0);
      queue.review();
    },
    counted: (now) => window.counted(now),
    get inFlight() {
      return Math.max(calls, requests + queue.length);
    },
    get allocation() {
      return allocation;
    },
  };
}
