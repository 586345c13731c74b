import type pg from 'pg';
import { inTransaction } from '#server/db.ts';
import type { Log } from '#server/log.ts';
import { Loop } from '#server/loop.ts';
import type { Wakeup } from '#server/wakeup.ts';
import { markWaitingTickets, mayTicketsWait } from '../jobs/waiting-tickets.queries.ts';
import type { SourceQueue } from '../source-queues/source-queue.ts';
import { blockOf, listSourceStates, type SourceState } from '../source-state/source-states.queries.ts';
import { countingTimesOf } from './counting-times.ts';
import type { LimitAllocator } from './limit-allocator.ts';
import type { WorkerPresence } from './worker-presence.ts';
import { freeHoldingsOfGone, permitMs, readClock, renewPresence } from './workers.queries.ts';

const roundMs = 500;
/** How often the tickets that only wait are marked. */
const markMs = 1000;

/** What a round has found. */
export type Round = {
  states: ReadonlyMap<string, SourceState>;
  /** The time of the database's clock. */
  now: Date;
  /** This worker. */
  worker: string;
};

/** Coordinates this worker with the others in rounds: allocates the limits, and reads the sources' states. */
export type Coordination = {
  /** Has a round soon, since something has changed. */
  wake(): void;
  /** The sources' states, by name, as the last round read them. */
  readonly states: ReadonlyMap<string, SourceState>;
  /** The last round, if it was not taken yet. */
  takeRound(): Round | undefined;
  /** Has a round. Resolves when it is over. */
  runRound(): Promise<void>;
  stop(): Promise<void>;
};

export type CoordinationParts = {
  pool: pg.Pool;
  log: Log;
  sourceQueues: SourceQueue[];
  /** Undefined until this process is known as a worker. */
  presence(): Pick<WorkerPresence, 'id' | 'rejoin'> | undefined;
  allocator: LimitAllocator;
  /** Given after each round. */
  wakeup: Wakeup;
};

export function createCoordination(parts: CoordinationParts): Coordination {
  const { pool, log, sourceQueues, presence, allocator, wakeup } = parts;
  let states = new Map<string, SourceState>();
  let round: Round | undefined;
  let markAt = 0;
  const times = countingTimesOf(sourceQueues.map(({ entry }) => entry));

  const runRound = async () => {
    const me = presence();
    const id = me?.id;
    if (me === undefined || id === undefined) {
      allocator.reset();
      return;
    }
    const permittedUntil = performance.now() + permitMs;
    const read = await inTransaction(pool, async (tx) => {
      if (!(await renewPresence(tx, id))) return undefined;
      await freeHoldingsOfGone(tx, times);
      const rows = await listSourceStates(tx);
      const paces = rows.flatMap(({ name, pace }) => (pace === null ? [] : [[name, pace] as const]));
      const applyAllocations = await allocator.allocate(tx, id, new Map(paces));
      if (performance.now() >= markAt && (await mayTicketsWait(tx))) {
        markAt = performance.now() + markMs;
        await markWaitingTickets(
          tx,
          sourceQueues.map(({ entry }) => describeState(entry, rows)),
        );
      }
      return { rows, applyAllocations, now: await readClock(tx) };
    });
    if (!read) {
      me.rejoin();
      allocator.reset();
      return;
    }
    read.applyAllocations(permittedUntil);
    states = new Map(read.rows.map((row) => [row.name, row]));
    round = { states, now: read.now, worker: id };
    wakeup.wake();
  };

  const loop = new Loop(runRound, {
    pauseMs: () => roundMs,
    onFailure: (error) => log.warn({ err: error }, 'worker coordination failed'),
  });

  return {
    wake: () => loop.wake(),
    get states() {
      return states;
    },
    takeRound() {
      const taken = round;
      round = undefined;
      return taken;
    },
    runRound: () => loop.runRound(),
    stop: () => loop.stop(),
  };
}

/** A source with why it may not be asked, as this round has read it. */
function describeState({ name, label }: SourceQueue['entry'], rows: SourceState[]) {
  const row = rows.find((known) => known.name === name);
  return { name, label, cause: row === undefined ? null : blockOf(row) };
}
