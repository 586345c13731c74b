import type pg from 'pg';
import type { SourceState } from '#features/sources/server/states/source-states.queries.ts';
import { Loop } from '#server/concurrency/loop.ts';
import { inTransaction } from '#server/db/db.ts';
import type { Log } from '#server/runtime/log.ts';
import type { LimitAllocator } from '../gate/limits/limit-allocator.ts';
import type { SourceQueue } from '../queues/source-queue.ts';
import { allocateLimits, countingTimesOf } from './allocation-round.ts';

const roundMs = 500;
/** The interval while this worker has nothing to ask: less than the 5 s after which it would count as gone. */
const quietMs = 3000;

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
  sourceQueues: SourceQueue[];
  /** This worker's id. */
  worker: string;
  allocator: LimitAllocator;
  /** Called after each round. */
  onRound(round: Round): void;
};

/** Coordinates this worker with the others in rounds: divides the limits, and reads the sources' states. */
export function createCoordination(parts: CoordinationParts) {
  const { pool, log, sourceQueues, worker, allocator, onRound } = parts;
  const times = countingTimesOf(sourceQueues.map(({ entry }) => entry));

  /** A notice announces that a paused source is resumed. The end of other reasons is found by rounds. */
  const mayOpenUnannounced = ({ shutReason }: SourceQueue['gate']) =>
    shutReason !== null && shutReason !== 'paused';
  /** Returns whether this worker holds or waits for a part of the limits, or waits for a source. */
  const isInUse = () =>
    allocator.holdsAny ||
    sourceQueues.some(({ rows, gate }) => rows.size > 0 || gate.inFlight > 0 || mayOpenUnannounced(gate));

  const coordinate = async () => {
    const began = performance.now();
    const { states, isKnown, apply } = await inTransaction(pool, (tx) =>
      allocateLimits(tx, worker, { allocator, times }),
    );
    apply();
    onRound({ states: new Map(states.map((row) => [row.name, row])), isKnown, began });
  };

  const loop = new Loop(coordinate, {
    pauseMs: () => (isInUse() ? roundMs : quietMs),
    onFailure: (error) => log.warn({ err: error }, 'worker coordination failed'),
  });

  return {
    wake: () => loop.wake(),
    runRound: () => loop.runRound(),
    stop: () => loop.stop(),
  };
}
