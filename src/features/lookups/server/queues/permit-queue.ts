import { HttpFailure } from '#features/sources/server/http/http-failure.ts';
import type { Permit } from '#features/sources/server/http/permits.ts';

type Waiting = { give(): void; refuse(failure: HttpFailure): void };

/** Requests that wait for a permit, in the order in which they came. */
export type PermitQueue = {
  /**
   * Waits until it is its turn.
   * @throws HttpFailure `not_permitted` when there is no part of the limits for long, `aborted` by the signal
   */
  join(give: () => Permit, signal?: AbortSignal): Promise<Permit>;
  /** Gives and refuses what may be given and refused now; to be called whenever something has changed. */
  review(): void;
  readonly length: number;
};

/** So long requests wait for a part of the limits, where this worker has none: a round of coordination may bring one. */
const patienceMs = 5000;
/** So often the queue is looked at, whatever happens. */
const lookMs = 500;

/** @param waitMs milliseconds until the first may go; Infinity: not before something changes; undefined: there is no part of the limits */
export function createPermitQueue(waitMs: (now: number) => number | undefined): PermitQueue {
  const waiting = new Set<Waiting>();
  let timer: NodeJS.Timeout | undefined;
  /** Since when there is no part of the limits for those who wait. */
  let lackingSince: number | undefined;

  const review = () => {
    if (waiting.size === 0) return;
    clearTimeout(timer);
    for (const first of waiting) {
      const now = performance.now();
      const wait = waitMs(now);
      lackingSince = wait === undefined ? (lackingSince ?? now) : undefined;
      if (wait === 0) {
        waiting.delete(first);
        first.give();
      } else if (lackingSince !== undefined && now - lackingSince >= patienceMs) {
        waiting.delete(first);
        first.refuse(new HttpFailure('not_permitted', 'this worker has no part of the limits'));
      } else {
        timer = setTimeout(review, Math.min(wait ?? lookMs, lookMs));
        return;
      }
    }
    lackingSince = undefined;
  };

  return {
    join(give, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<Permit>();
      const mine: Waiting = {
        give() {
          signal?.removeEventListener('abort', onAbort);
          resolve(give());
        },
        refuse(failure) {
          signal?.removeEventListener('abort', onAbort);
          reject(failure);
        },
      };
      const onAbort = () => {
        waiting.delete(mine);
        mine.refuse(new HttpFailure('aborted', 'the call was ended'));
        review();
      };
      if (signal?.aborted) {
        onAbort();
        return promise;
      }
      signal?.addEventListener('abort', onAbort);
      waiting.add(mine);
      review();
      return promise;
    },
    review,
    get length() {
      return waiting.size;
    },
  };
}
