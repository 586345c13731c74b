import type pg from 'pg';
import { openCircuit } from '#features/sources/server/states/circuit.queries.ts';
import { blockOf, type SourceState } from '#features/sources/server/states/source-states.queries.ts';
import { Loop } from '#server/concurrency/loop.ts';
import { inTransaction } from '#server/db/db.ts';
import type { Log } from '#server/runtime/log.ts';
import type { LimitAllocator } from '../gate/limits/limit-allocator.ts';
import type { SourceQueue } from '../queues/source-queue.ts';
import { allocateLimits } from './allocation-round.ts';

const roundMs = 500;
/** The wait before the first probe of an opened circuit. */
const firstProbeMs = 5000;

type Round = {
  /** The sources' states, by name. */
  states: ReadonlyMap<string, SourceState>;
  /** Whether the others still knew this worker. If not, they may hold its proxies. */
  isKnown: boolean;
};

export type CoordinationParts = {
  pool: pg.Pool;
  log: Log;
  sourceQueues: Pick<SourceQueue, 'entry' | 'gate'>[];
  /** This worker's id. */
  worker: string;
  allocator: LimitAllocator;
  /** Called in each round before its permits are used. Until then, others may have taken what this worker held. */
  beforePermits(): Promise<void>;
  /** Called after each round. */
  onRound(round: Round): void;
};

/** Coordinates this worker with the others in rounds: divides the limits, and shares which sources fail as a whole. */
export function createCoordination(parts: CoordinationParts) {
  const { pool, log, sourceQueues, worker, allocator, beforePermits, onRound } = parts;
  const entries = sourceQueues.map(({ entry }) => entry);

  /** Opens the circuits of the sources whose gates were closed here. The other workers stop when they are notified. */
  const storeFailures = async () => {
    for (const { entry, gate } of sourceQueues) {
      if (!gate.unstored) continue;
      try {
        await openCircuit(pool, entry.name, { ...gate.unstored, waitMs: firstProbeMs });
        gate.noteStored();
      } catch (err) {
        log.warn({ err, source: entry.name }, 'the failure of the source could not be stored');
      }
    }
  };

  const coordinate = async () => {
    await storeFailures();
    const { states, isKnown, apply } = await inTransaction(pool, (tx) =>
      allocateLimits(tx, worker, entries, allocator),
    );
    await beforePermits();
    apply();
    const byName = new Map(states.map((state) => [state.name, state]));
    for (const { entry, gate } of sourceQueues) {
      const state = byName.get(entry.name);
      if (state) gate.follow(blockOf(state));
    }
    onRound({ states: byName, isKnown });
  };

  return new Loop(coordinate, {
    pauseMs: () => roundMs,
    onFailure: (error) => log.warn({ err: error }, 'worker coordination failed'),
  });
}
