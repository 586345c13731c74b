import { createRateWindow } from './sliding-window.ts';

/** How much of a source's limits this worker may use now; null: no limit. */
export type Share = { perSecond: number | null; concurrency: number | null };

/** A call that a gate has let through. */
export type GateCall = {
  /** It went out to the source. */
  sent(): void;
  /** It is over. */
  end(): void;
};

/** Lets calls of one source start as its limits, its pace and its state allow. Times are `performance.now()`. */
export type Gate = {
  /** Milliseconds until a call may start; 0: now; Infinity: not before something changes. */
  waitMs(now: number): number;
  start(now: number): GateCall;
  setShare(share: Share): void;
  /** Shut, for a reason that all workers know of; null opens it. */
  shut(reason: string | null): void;
  /** Holds calls back until a share is given again: this worker lost touch with the others. */
  hold(): void;
  readonly reason: string | null;
  readonly inFlight: number;
  readonly share: Share;
};

/**
 * @param perSecond the source's own limit; below 1 it means one call in 1 / perSecond seconds
 */
export function createGate(perSecond: number | undefined): Gate {
  const window = createRateWindow(1000 / Math.min(1, perSecond ?? 1));
  let share: Share = { perSecond: 0, concurrency: 0 };
  let reason: string | null = null;
  let inFlight = 0;
  window.setLimit(0);

  return {
    waitMs(now) {
      if (reason !== null) return Number.POSITIVE_INFINITY;
      if (share.concurrency !== null && inFlight >= share.concurrency) return Number.POSITIVE_INFINITY;
      return window.waitMs(now);
    },
    start(now) {
      const call = window.start(now);
      inFlight += 1;
      return {
        sent() {
          call.sent(performance.now());
        },
        end() {
          call.end(performance.now());
          inFlight -= 1;
        },
      };
    },
    setShare(given) {
      if (given.perSecond !== share.perSecond) window.setLimit(given.perSecond);
      share = given;
    },
    shut(given) {
      reason = given;
    },
    hold() {
      share = { perSecond: 0, concurrency: 0 };
      window.setLimit(0);
    },
    get reason() {
      return reason;
    },
    get inFlight() {
      return inFlight;
    },
    get share() {
      return share;
    },
  };
}
