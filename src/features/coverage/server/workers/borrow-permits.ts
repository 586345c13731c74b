import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db.ts';
import { Loop } from '#server/loop.ts';
import type { Permits } from '../http/permits.ts';
import { createRateLimiter } from '../source-queues/rate-limiter.ts';
import { listSourceStates } from '../source-state/source-states.queries.ts';
import type { SourceEntry } from '../sources/source-kind.ts';
import { createLimitAllocator } from './limit-allocator.ts';
import { startWorkerPresence } from './worker-presence.ts';
import { markWorkerGone, permitMs, renewPresence } from './workers.queries.ts';

const roundMs = 250;

/** A part of a source's limits, for one question beside the lookups; to be ended in any case. */
export type Borrowed = {
  /** Undefined where no part came within the time that was given. */
  permits: Permits | undefined;
  end(): Promise<void>;
};

/**
 * Has a part of a source's limits for a moment, as a worker that joins the others would. Where they have all of it, they
 * give some back.
 * @param patienceMs how long to wait for it
 */
export async function borrowPermits(
  { db, log, databaseUrl }: Pick<Context, 'db' | 'log' | 'databaseUrl'>,
  entry: Pick<SourceEntry, 'name' | 'limits' | 'remote'>,
  patienceMs: number,
): Promise<Borrowed> {
  const limiter = createRateLimiter(entry.limits.per_second);
  const call = limiter.start();
  const allocator = createLimitAllocator([{ entry, limiter, rows: { size: 1 }, mayHaveAllocation: true }], {
    insists: true,
  });
  const presence = await startWorkerPresence({
    ...{ databaseUrl, log, channels: [], onNotice: () => undefined },
    onJoin: () => allocator.reset(),
  });
  const arrived = Promise.withResolvers<Permits | undefined>();
  const runRound = async () => {
    const { id } = presence;
    if (id === undefined) return;
    const until = performance.now() + permitMs;
    const apply = await inTransaction(db, async (tx) => {
      if (!(await renewPresence(tx, id))) return undefined;
      const states = await listSourceStates(tx);
      const paces = states.flatMap(({ name, pace }) => (pace === null ? [] : [[name, pace] as const]));
      return allocator.allocate(tx, id, new Map(paces));
    });
    if (!apply) return presence.rejoin();
    apply(until);
    const { perSecond, concurrency } = limiter.allocation;
    if (perSecond !== 0 && concurrency !== 0) arrived.resolve(call);
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
        if (presence.id !== undefined) await markWorkerGone(db, presence.id);
      } finally {
        await presence.close();
      }
    },
  };
}
