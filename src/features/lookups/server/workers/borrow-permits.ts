import type { SourceEntry } from '#features/sources/server/configuration/source-kind.ts';
import type { Permits } from '#features/sources/server/http/permits.ts';
import { listSourceStates } from '#features/sources/server/states/source-states.queries.ts';
import { Loop } from '#server/concurrency/loop.ts';
import { inTransaction } from '#server/db/db.ts';
import type { Context } from '#server/runtime/context.ts';
import { createLimitAllocator } from '../limits/limit-allocator.ts';
import { createRateLimiter } from '../queues/rate-limiter.ts';
import { countingTimesOf } from './counting-times.ts';
import { startWorkerPresence } from './worker-presence.ts';
import { freeHoldingsOfGone, markWorkerGone, permitMs, renewPresence } from './workers.queries.ts';

const roundMs = 250;
/** How often what is borrowed proxyLoan the limits is looked for. */
const proxyRoundMs = 1000;

/** A part of a source's limits, for one question proxyLoan the lookups; to be ended in any case. */
export type Borrowed = {
  /** Undefined where no part came within the time that was given. */
  permits: Permits | undefined;
  end(): Promise<void>;
};

/** What is borrowed in the same rounds proxyLoan the limits, and given back at the end. */
type ProxyLoan = {
  /** One round. @returns whether there is nothing more to wait for */
  update(worker: string, wants: boolean): Promise<boolean>;
  /** Uses nothing any more: this borrower lost its connection to the workers. */
  reset(): void;
};

export type BorrowOptions = {
  /** Every configured source: what its callers held counts for as long as its limits say. */
  sources: Pick<SourceEntry, 'name' | 'limits'>[];
  /** How long to wait for it. */
  patienceMs: number;
  proxyLoan?: ProxyLoan | undefined;
};

/**
 * Has a part of a source's limits for a moment, as a worker that joins the others would. Where they have all of it, they
 * give some back.
 */
export async function borrowPermits(
  { db, log, databaseUrl }: Pick<Context, 'db' | 'log' | 'databaseUrl'>,
  entry: Pick<SourceEntry, 'name' | 'limits' | 'remote'>,
  { sources, patienceMs, proxyLoan }: BorrowOptions,
): Promise<Borrowed> {
  const limiter = createRateLimiter(entry.limits.per_second);
  const call = limiter.start();
  const times = countingTimesOf(sources);
  const allocator = createLimitAllocator([{ entry, limiter, rows: { size: 1 }, mayHaveAllocation: true }], {
    insists: true,
  });
  /** Whether what is borrowed proxyLoan is there, or known not to come; and when it is looked for again. */
  let isComplete = proxyLoan === undefined;
  let lookAt = 0;
  const presence = await startWorkerPresence({
    databaseUrl,
    log,
    channels: [],
    onNotice: () => undefined,
    onJoin() {
      allocator.reset();
      proxyLoan?.reset();
      isComplete = proxyLoan === undefined;
    },
  });
  const arrived = Promise.withResolvers<Permits | undefined>();
  const runRound = async () => {
    const { id } = presence;
    if (id === undefined) return;
    const until = performance.now() + permitMs;
    const apply = await inTransaction(db, async (tx) => {
      if (!(await renewPresence(tx, id))) return undefined;
      await freeHoldingsOfGone(tx, times);
      const states = await listSourceStates(tx);
      const paces = states.flatMap(({ name, pace }) => (pace === null ? [] : [[name, pace] as const]));
      return allocator.allocate(tx, id, new Map(paces));
    });
    if (!apply) return presence.rejoin();
    apply(until);
    if (proxyLoan && !isComplete && performance.now() >= lookAt) {
      lookAt = performance.now() + proxyRoundMs;
      isComplete = await proxyLoan.update(id, true);
    }
    const { perSecond, concurrency } = limiter.allocation;
    if (isComplete && perSecond !== 0 && concurrency !== 0) arrived.resolve(call);
  };
  const loop = new Loop(runRound, {
    pauseMs: () => roundMs,
    onFailure: (error) => log.warn({ err: error }, 'a part of the limits could not be borrowed yet'),
  });
  loop.wake();
  const timer = setTimeout(() => arrived.resolve(undefined), patienceMs);
  const permits = await arrived.promise;
  clearTimeout(timer);
  return {
    permits,
    async end() {
      call.end();
      await loop.stop();
      limiter.suspend();
      try {
        if (presence.id === undefined) return;
        await proxyLoan?.update(presence.id, false);
        await markWorkerGone(db, presence.id);
      } finally {
        proxyLoan?.reset();
        await presence.close();
      }
    },
  };
}
