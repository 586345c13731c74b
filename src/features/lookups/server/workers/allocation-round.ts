import type pg from 'pg';
import { listSourceStates, type SourceState } from '#features/sources/server/states/source-states.queries.ts';
import type { LimitAllocator } from '../limits/limit-allocator.ts';
import { type CountingTimes, freeHoldingsOfGone, renewPresence } from './workers.queries.ts';

/** `apply` gives the limiters their new allocations, until a time of `performance.now()`. Call it after the commit. */
export type AllocationRound = { states: SourceState[]; apply(until: number): void };

/**
 * Takes part in dividing the limits: renews a worker's presence, frees what dead workers held, and allocates its
 * share.
 * @returns undefined if the other workers count this one as dead
 */
export async function allocateShare(
  tx: pg.PoolClient,
  worker: string,
  { allocator, times }: { allocator: Pick<LimitAllocator, 'allocate'>; times: CountingTimes },
): Promise<AllocationRound | undefined> {
  if (!(await renewPresence(tx, worker))) return undefined;
  await freeHoldingsOfGone(tx, times);
  const states = await listSourceStates(tx);
  const paces = states.flatMap(({ name, pace }) => (pace === null ? [] : [[name, pace] as const]));
  return { states, apply: await allocator.allocate(tx, worker, new Map(paces)) };
}
