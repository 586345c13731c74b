import type { Permit, Permits } from '#features/sources/server/http/permits.ts';
import { suspendedMs } from '#server/runtime/suspended-ms.ts';
import { createPermitQueue } from './permit-queue.ts';
import { createSlidingWindow, windowMsOf } from './sliding-window.ts';

/** The part of a source's limits that this worker may use now; null without such a limit. */
type Allocation = { perSecond: number | null; concurrency: number | null };

/**
 * A call that the limiter counts. It takes a slot, and each of its requests takes a permit. The first permit is
 * reserved.
 */
type LimitedCall = Permits & {
  end(): void;
};

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/**
 * Keeps the requests of one source within this worker's allocation. Times are `performance.now()`.
 * @param perSecond the source's own limit; below 1, one request in 1 / perSecond seconds
 */
export function createRateLimiter(perSecond: number | undefined) {
  const window = createSlidingWindow(windowMsOf(perSecond));
  const queue = createPermitQueue((now) => permitWaitMs(now));
  let allocation: Allocation = { perSecond: 0, concurrency: 0 };
  /** Calls in progress, and those of them that have not asked for a permit yet. */
  let calls = 0;
  let beforeFirstPermit = 0;
  /** Permits in use. */
  let requests = 0;
  let expiresAt = Number.POSITIVE_INFINITY;
  let isUsedElsewhere = false;
  window.setLimit(0);

  const isExpired = (now: number) => now + suspendedMs() >= expiresAt;
  const isNone = () => allocation.perSecond === 0 || allocation.concurrency === 0;
  const isAllocated = (now: number) => !isExpired(now) && !isNone();
  const hasSlot = (taken: number) => allocation.concurrency === null || taken < allocation.concurrency;
  /** Returns the milliseconds until a request may have its permit; undefined without an allocation. */
  const permitWaitMs = (now: number): number | undefined => {
    if (!isAllocated(now)) return undefined;
    return hasSlot(requests) ? window.waitMs(now) : Number.POSITIVE_INFINITY;
  };

  const give = (onSent: () => void): Permit => {
    const windowCall = window.start(performance.now());
    requests += 1;
    let over = false;
    return {
      send() {
        const now = performance.now();
        if (over || isExpired(now)) return false;
        windowCall.sent(now);
        onSent();
        queue.review();
        return true;
      },
      end() {
        if (over) return;
        over = true;
        requests -= 1;
        windowCall.end();
        queue.review();
      },
    };
  };

  return {
    /** Returns whether this worker has a part of the limits. Permits expire unless they are renewed. */
    isAllocated,
    /** Whether other workers use up the limits, so that this one gets no part even if it has rows. */
    get isUsedElsewhere() {
      return isUsedElsewhere;
    },
    /** Returns the milliseconds until a call may start: 0 for now, Infinity for not before something changes. */
    waitMs(now: number) {
      if (isExpired(now)) return Number.POSITIVE_INFINITY;
      const first = beforeFirstPermit + queue.length;
      if (!hasSlot(calls) || !hasSlot(requests + first)) return Number.POSITIVE_INFINITY;
      return window.waitMs(now, first);
    },
    /**
     * Counts a call that starts now.
     * @param onSent called when a request of the call is sent
     */
    start(onSent: () => void = () => {}): LimitedCall {
      calls += 1;
      beforeFirstPermit += 1;
      let isBeforeFirst = true;
      const begin = () => {
        if (isBeforeFirst) beforeFirstPermit -= 1;
        isBeforeFirst = false;
      };
      return {
        take(signal) {
          begin();
          if (queue.length === 0 && permitWaitMs(performance.now()) === 0) return give(onSent);
          return queue.join(() => give(onSent), signal);
        },
        end() {
          begin();
          calls -= 1;
        },
      };
    },
    /**
     * @param until the time, with `suspendedMs`, at which the permits expire unless renewed, so that a frozen worker fences
     * itself
     * @param usedElsewhere whether other workers use up the limits
     */
    setAllocation(next: Allocation, until: number = expiresAt, usedElsewhere: boolean = isUsedElsewhere) {
      expiresAt = until;
      isUsedElsewhere = usedElsewhere;
      if (next.perSecond !== allocation.perSecond) window.setLimit(next.perSecond);
      allocation = next;
      queue.review();
    },
    /** Returns how many requests count towards the rate now. Others may not use that much of it. */
    counted: (now: number) => window.counted(now),
    /** The number of slots that are taken or waited for. */
    get inFlight() {
      return Math.max(calls, requests + queue.length);
    },
    get allocation() {
      return allocation;
    },
  };
}
