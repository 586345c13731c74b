import { randomUUID } from 'node:crypto';
import type { SourceEntry } from '#features/sources/server/configuration/source-kind.ts';
import type { Permits } from '#features/sources/server/http/permits.ts';
import { Loop } from '#server/concurrency/loop.ts';
import { inTransaction } from '#server/db/db.ts';
import type { Context } from '#server/runtime/context.ts';
import { createLimitAllocator } from '../gate/limits/limit-allocator.ts';
import { createRateLimiter } from '../gate/limits/rate-limiter.ts';
import { allocateLimits, countingTimesOf } from './allocation-round.ts';
import { markWorkerGone } from './workers.queries.ts';

const roundMs = 250;
/** The interval at which the API process tries to lease a proxy. */
const proxyRoundMs = 1000;

/** A lease of a proxy in the same rounds. */
type ProxyLoan = {
  /** Runs one round. @returns whether the lease is complete */
  update(worker: string, wants: boolean): Promise<boolean>;
  /** Stops using the proxy. */
  reset(): void;
};

export type BorrowOptions = {
  /** Every configured source. Their limits decide how long the calls of gone workers count. */
  sources: Pick<SourceEntry, 'name' | 'limits'>[];
  /** How long to wait for a permit. */
  maxWaitMs: number;
  proxyLoan?: ProxyLoan | undefined;
};

/**
 * Borrows permits of a source for a call of the API process, as a worker that joins the others. If the others use the
 * whole limit, they return some.
 */
export async function borrowPermits(
  { db, log }: Pick<Context, 'db' | 'log'>,
  entry: Pick<SourceEntry, 'name' | 'limits' | 'remote'>,
  { sources, maxWaitMs, proxyLoan }: BorrowOptions,
) {
  const limiter = createRateLimiter(entry.limits.per_second);
  const call = limiter.start();
  const times = countingTimesOf(sources);
  const allocator = createLimitAllocator([{ entry, gate: { limiter }, rows: { size: 1 } }], {
    insists: true,
  });
  /** Whether the lease is complete or known to fail, and when to try again. */
  let isComplete = proxyLoan === undefined;
  let lookAt = 0;
  const worker = randomUUID();
  const arrived = Promise.withResolvers<Permits | undefined>();
  const runRound = async () => {
    const round = await inTransaction(db, (tx) => allocateLimits(tx, worker, { allocator, times }));
    round.apply();
    if (proxyLoan && !isComplete && performance.now() >= lookAt) {
      lookAt = performance.now() + proxyRoundMs;
      isComplete = await proxyLoan.update(worker, true);
    }
    const { perSecond, concurrency } = limiter.allocation;
    if (isComplete && perSecond !== 0 && concurrency !== 0) arrived.resolve(call);
  };
  const loop = new Loop(runRound, {
    pauseMs: () => roundMs,
    onFailure: (error) => log.warn({ err: error }, 'a part of the limits could not be borrowed yet'),
  });
  loop.wake();
  const timer = setTimeout(() => arrived.resolve(undefined), maxWaitMs);
  const permits = await arrived.promise;
  clearTimeout(timer);
  return {
    /** Undefined if there was no permit in time. */
    permits,
    /** Returns the permits. Must always be called. */
    async end() {
      call.end();
      await loop.stop();
      // Requests that have not been sent are denied.
      limiter.setAllocation({ perSecond: 0, concurrency: 0 }, 0);
      try {
        await proxyLoan?.update(worker, false);
        await markWorkerGone.run(db, { id: worker });
      } finally {
        proxyLoan?.reset();
      }
    },
  };
}
