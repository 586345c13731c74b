import type pg from 'pg';
import type { SourceState } from '#features/sources/server/states/source-states.queries.ts';
import { Loop } from '#server/concurrency/loop.ts';
import { inTransaction } from '#server/db/db.ts';
import type { Log } from '#server/runtime/log.ts';
import type { LimitAllocator } from '../gate/limits/limit-allocator.ts';
import type { SourceQueue } from '../queues/source-queue.ts';
import { allocateLimits } from './allocation-round.ts';

const roundMs = 500;

type Round = {
  /** The sources' states, by name. */
  states: ReadonlyMap<string, SourceState>;
  /** Whether the others still knew this worker. If not, they may hold its proxies. */
  isKnown: boolean;
  /** When it began (`performance.now`). */
  began: number;
};

export type CoordinationParts = {
  pool: pg.Pool;
  log: Log;
  sourceQueues: Pick<SourceQueue, 'entry'>[];
  /** This worker's id. */
  worker: string;
  allocator: LimitAllocator;
  /** Called after each round. */
  onRound(round: Round): void;
};

/** Coordinates this worker with the others in rounds: divides the limits, and reads the sources' states. */
export function createCoordination(parts: CoordinationParts) {
  const { pool, log, sourceQueues, worker, allocator, onRound } = parts;
  const entries = sourceQueues.map(({ entry }) => entry);

  const coordinate = async () => {
    const began = performance.now();
    const { states, isKnown, apply } = await inTransaction(pool, (tx) =>
      allocateLimits(tx, worker, entries, allocator),
    );
    apply();
    onRound({ states: new Map(states.map((row) => [row.name, row])), isKnown, began });
  };

  return new Loop(coordinate, {
    pauseMs: () => roundMs,
    onFailure: (error) => log.warn({ err: error }, 'worker coordination failed'),
  });
}
