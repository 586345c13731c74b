import type pg from 'pg';
import {
  blockOf,
  listSourceStates,
  type SourceState,
} from '#features/sources/server/states/source-states.queries.ts';
import { Loop } from '#server/concurrency/loop.ts';
import type { Wakeup } from '#server/concurrency/wakeup.ts';
import { inTransaction } from '#server/db/db.ts';
import type { Log } from '#server/runtime/log.ts';
import { hasJobs } from '../jobs/lookup-jobs.queries.ts';
import { markWaitingTickets, mayTicketsWait } from '../jobs/waiting-tickets.queries.ts';
import type { LimitAllocator } from '../limits/limit-allocator.ts';
import type { SourceQueue } from '../queues/source-queue.ts';
import { countingTimesOf } from './counting-times.ts';
import type { WorkerPresence } from './worker-presence.ts';
import { freeHoldingsOfGone, permitMs, readClock, renewIdle, renewPresence } from './workers.queries.ts';

const roundMs = 500;
/**
 * How often a worker looks whether there is something to look up by now while there was nothing, and shows that it is
 * alive: three times within the 10 s after which it would count as dead.
 */
const idleMs = 3000;
/** How often there is a round nevertheless. */
const idleRoundMs = 30_000;
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
  /** Whether there was nothing to look up for anybody, so that there are few rounds. */
  readonly isIdle: boolean;
  /** Has a round if there are few; from then on there are more. */
  leaveIdleness(): Promise<void>;
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
  let isIdle = false;
  /** Whether a round is due although there was nothing to look up. */
  let isRoundDue = false;
  let idleRoundAt = 0;
  const times = countingTimesOf(sourceQueues.map(({ entry }) => entry));

  /** Whether nothing is to be looked up by anybody, and this worker holds and waits for nothing. */
  const findIdleness = async (tx: pg.PoolClient, mayWait: boolean) => {
    const isInUse = ({ rows, limiter, mayHaveAllocation }: SourceQueue) =>
      rows.size > 0 || limiter.inFlight > 0 || !mayHaveAllocation;
    return !mayWait && !allocator.holdsAny && !sourceQueues.some(isInUse) && !(await hasJobs(tx));
  };

  const coordinate = async () => {
    const me = presence();
    const id = me?.id;
    const mayStayIdle = isIdle && !isRoundDue && performance.now() < idleRoundAt;
    if (mayStayIdle && id !== undefined && (await renewIdle(pool, id))) return;
    isIdle = false;
    isRoundDue = false;
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
      const mayWait = performance.now() < markAt || (await mayTicketsWait(tx));
      if (mayWait && performance.now() >= markAt) {
        markAt = performance.now() + markMs;
        await markWaitingTickets(
          tx,
          sourceQueues.map(({ entry }) => describeState(entry, rows)),
        );
      }
      const foundIdle = await findIdleness(tx, mayWait);
      return { rows, applyAllocations, foundIdle, now: await readClock(tx) };
    });
    if (!read) {
      me.rejoin();
      allocator.reset();
      return;
    }
    read.applyAllocations(permittedUntil);
    states = new Map(read.rows.map((row) => [row.name, row]));
    round = { states, now: read.now, worker: id };
    isIdle = read.foundIdle;
    idleRoundAt = performance.now() + idleRoundMs;
    wakeup.wake();
  };

  const loop = new Loop(coordinate, {
    pauseMs: () => (isIdle ? idleMs : roundMs),
    onFailure(error) {
      isIdle = false;
      log.warn({ err: error }, 'worker coordination failed');
    },
  });
  const runRound = () => {
    isRoundDue = true;
    return loop.runRound();
  };

  return {
    wake() {
      isRoundDue = true;
      loop.wake();
    },
    get states() {
      return states;
    },
    takeRound() {
      const taken = round;
      round = undefined;
      return taken;
    },
    runRound,
    get isIdle() {
      return isIdle;
    },
    async leaveIdleness() {
      if (isIdle) await runRound();
    },
    stop: () => loop.stop(),
  };
}

/** A source with why it may not be asked, as this round has read it. */
function describeState({ name, label }: SourceQueue['entry'], rows: SourceState[]) {
  const row = rows.find((known) => known.name === name);
  return { name, label, cause: row === undefined ? null : blockOf(row) };
}
