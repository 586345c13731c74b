import { HttpFailure } from '#features/sources/server/http/http-failure.ts';
import type { Permit } from '#features/sources/server/http/permits.ts';

type Waiting = { give(): void; deny(failure: HttpFailure): void };

/** How long requests wait while this worker has no allocation. A round of coordination may bring one. */
const maxWaitMs = 5000;
/** The interval at which the queue is reviewed in any case. */
const lookMs = 500;

/**
 * Queues requests that wait for a permit, first in, first out.
 * @param waitMs milliseconds until the first request may go: Infinity for not before something changes, undefined
 * without an allocation
 */
export function createPermitQueue(waitMs: (now: number) => number | undefined) {
  const waiting = new Set<Waiting>();
  let timer: NodeJS.Timeout | undefined;
  /** The time since which this worker has had no allocation. */
  let lackingSince: number | undefined;

  /** Grants and denies permits as far as possible. Call it after every change. */
  const review = () => {
    clearTimeout(timer);
    for (const first of waiting) {
      const now = performance.now();
      const wait = waitMs(now);
      lackingSince = wait === undefined ? (lackingSince ?? now) : undefined;
      if (wait === 0) {
        waiting.delete(first);
        first.give();
      } else if (lackingSince !== undefined && now - lackingSince >= maxWaitMs) {
        waiting.delete(first);
        first.deny(new HttpFailure('not_permitted', 'this worker has no part of the limits'));
      } else {
        timer = setTimeout(review, Math.min(wait ?? lookMs, lookMs));
        return;
      }
    }
    // No request waits any more.
    lackingSince = undefined;
  };

  return {
    /**
     * Waits for a permit.
     * @throws HttpFailure `not_permitted` if this worker has no allocation for 5 s, `aborted` by the signal
     */
    join(give: () => Permit, signal?: AbortSignal): Promise<Permit> {
      const { promise, resolve, reject } = Promise.withResolvers<Permit>();
      const mine: Waiting = { give: () => resolve(give()), deny: reject };
      const onAbort = () => {
        waiting.delete(mine);
        reject(new HttpFailure('aborted', 'the call was ended'));
        review();
      };
      waiting.add(mine);
      if (signal?.aborted) onAbort();
      signal?.addEventListener('abort', onAbort);
      review();
      return promise.finally(() => signal?.removeEventListener('abort', onAbort));
    },
    review,
    get length() {
      return waiting.size;
    },
  };
}
