import type pg from 'pg';
import type { ConfiguredSource } from '#features/sources/server/configuration/sources-file.ts';
import { blockOf, type SourceState } from '#features/sources/server/states/source-states.queries.ts';
import { Loop } from '#server/concurrency/loop.ts';
import { inTransaction } from '#server/db/db.ts';
import type { Log } from '#server/runtime/log.ts';
import type { LimitAllocator } from '../gate/limits/limit-allocator.ts';
import { markWaitingTickets, mayTicketsWait } from '../jobs/waiting-tickets.queries.ts';
import type { SourceQueue } from '../queues/source-queue.ts';
import { allocateLimits, countingTimesOf } from './allocation-round.ts';

const roundMs = 500;
/** The interval while this worker has nothing to ask: less than the 5 s after which it would count as gone. */
const quietMs = 3000;
/** The interval at which waiting tickets are marked. */
const markMs = 1000;

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
  /** Configured sources that are not enabled. Tickets may wait for them. */
  disabled: Pick<ConfiguredSource, 'name' | 'label'>[];
  /** This worker's id. */
  worker: string;
  allocator: LimitAllocator;
  /** Called after each round. */
  onRound(round: Round): void;
};

/** Coordinates this worker with the others in rounds: divides the limits, and reads the sources' states. */
export function createCoordination(parts: CoordinationParts) {
  const { pool, log, sourceQueues, disabled, worker, allocator, onRound } = parts;
  let markAt = 0;
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
    const { states, isKnown, apply } = await inTransaction(pool, async (tx) => {
      const allocation = await allocateLimits(tx, worker, { allocator, times });
      if (performance.now() >= markAt && (await mayTicketsWait.one(tx)).may) {
        markAt = performance.now() + markMs;
        const sources = [
          ...sourceQueues.map(({ entry }) => describeState(entry, allocation.states)),
          ...disabled.map(({ name, label }) => ({ name, label, cause: 'disabled' })),
        ];
        await markWaitingTickets.run(tx, { sources });
      }
      return allocation;
    });
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

/** Returns a source with the reason why its gate is shut, as this round has read it. */
function describeState({ name, label }: SourceQueue['entry'], rows: SourceState[]) {
  const row = rows.find((known) => known.name === name);
  return { name, label, cause: row === undefined ? null : blockOf(row) };
}
