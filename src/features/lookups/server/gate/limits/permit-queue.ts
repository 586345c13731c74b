import { HttpFailure } from '#features/sources/server/http/http-failure.ts';
import type { Permit } from '#features/sources/server/http/permits.ts';

type PermitRequest = { since: number; give(): void; deny(failure: HttpFailure): void };

/** How long a request waits if this worker has no allocation. A round of coordination may bring one. */
const maxWaitMs = 5000;
/** The interval at which the queue is reviewed in any case. */
const lookMs = 500;

/**
 * Queues requests that wait for a permit, first in, first out.
 * @param waitMs milliseconds until the first request may go: Infinity for not before something changes, undefined
 * without an allocation
 */
export function createPermitQueue(waitMs: (now: number) => number | undefined) {
  const requests = new Set<PermitRequest>();
  let timer: NodeJS.Timeout | undefined;

  /** Grants and denies permits as far as possible. Call it after every change. */
  const review = () => {
    clearTimeout(timer);
    for (const first of requests) {
      const now = performance.now();
      const wait = waitMs(now);
      if (wait === 0) {
        requests.delete(first);
        first.give();
      } else if (wait === undefined && now - first.since >= maxWaitMs) {
        requests.delete(first);
        first.deny(new HttpFailure('not_permitted', 'this worker has no part of the limits'));
      } else {
        timer = setTimeout(review, Math.min(wait ?? lookMs, lookMs));
        return;
      }
    }
  };

  return {
    /**
     * Waits for a permit.
     * @throws HttpFailure `not_permitted` if this worker has no allocation after 5 s, `aborted` by the signal
     */
    join(give: () => Permit, signal?: AbortSignal): Promise<Permit> {
      const { promise, resolve, reject } = Promise.withResolvers<Permit>();
      const mine: PermitRequest = { since: performance.now(), give: () => resolve(give()), deny: reject };
      const onAbort = () => {
        requests.delete(mine);
        reject(new HttpFailure('aborted', 'the call was ended'));
        review();
      };
      requests.add(mine);
      if (signal?.aborted) onAbort();
      signal?.addEventListener('abort', onAbort);
      review();
      return promise.finally(() => signal?.removeEventListener('abort', onAbort));
    },
    review,
    get length() {
      return requests.size;
    },
  };
}
