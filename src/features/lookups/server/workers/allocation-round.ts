import type pg from 'pg';
import type { SourceEntry } from '#features/sources/server/configuration/source-kind.ts';
import { listSourceStates } from '#features/sources/server/states/source-states.queries.ts';
import type { LimitAllocator } from '../gate/limits/limit-allocator.ts';
import { freeHoldingsOfGone, renewPresence } from './workers.queries.ts';

/**
 * Takes part in dividing the limits: renews a worker's presence, frees what gone workers held, and computes its
 * allocations.
 * @returns the sources' states, whether the others still knew this worker, and `apply`, which gives the limiters their new
 * allocations, to be called after the commit
 */
export async function allocateLimits(
  tx: pg.PoolClient,
  worker: string,
  entries: Pick<SourceEntry, 'name' | 'limits'>[],
  allocator: Pick<LimitAllocator, 'allocate'>,
) {
  const { isKnown, permittedUntil } = await renewPresence(tx, worker);
  await freeHoldingsOfGone(tx, entries);
  const states = await listSourceStates.all(tx);
  const paces = states.flatMap(({ name, pace }) => (pace === null ? [] : [[name, pace] as const]));
  const apply = await allocator.allocate(tx, worker, new Map(paces));
  return { isKnown, states, apply: () => apply(permittedUntil) };
}
