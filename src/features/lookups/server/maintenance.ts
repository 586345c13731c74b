import type pg from 'pg';
import type { ConfiguredSource } from '#features/sources/server/configuration/sources-file.ts';
import { addFigures } from '#features/sources/server/figures/add-figures.ts';
import { deleteOldCallCounts } from '#features/sources/server/figures/call-counts.queries.ts';
import { blockOf, listSourceStates } from '#features/sources/server/states/source-states.queries.ts';
import { Loop } from '#server/concurrency/loop.ts';
import { inTransaction, type Queryable } from '#server/db/db.ts';
import type { Config } from '#server/runtime/config.ts';
import type { Log } from '#server/runtime/log.ts';
import type { BatchTracker } from './fetch/batch-tracker.ts';
import { updatePace } from './gate/pace/pace.queries.ts';
import { lockMarks, markWaitingTickets } from './jobs/waiting-tickets.queries.ts';
import type { SourceQueue } from './queues/source-queue.ts';
import { deleteOldAnswers } from './write/answer-cache.queries.ts';
import { deleteOldReservations } from './write/reservations.queries.ts';

/** How much later than due a delayed row may continue. */
const resumeMs = 100;
const outrankedMs = 1500;
const figuresMs = 2000;
const marksMs = 1000;
const cleaningMs = 60_000;
/** The most rows of a table that one step deletes, which takes a few milliseconds. */
const rowsPerStep = 1000;

export type MaintenanceParts = {
  pool: pg.Pool;
  log: Log;
  batchTracker: Pick<BatchTracker, 'giveBackOutranked' | 'resumeDue'>;
  sourceQueues: SourceQueue[];
  /** Configured sources that are not enabled. Tickets may wait for them. */
  disabled: Pick<ConfiguredSource, 'name' | 'label'>[];
  cacheHours: number;
};

/** Starts the repeated work of a worker beside the lookups. */
export function startMaintenance(parts: MaintenanceParts) {
  const { pool, log, batchTracker, sourceQueues, disabled, cacheHours } = parts;
  const onFailure = (err: unknown) => log.warn({ err }, 'maintenance failed and will be tried again');
  /** Adds this worker's calls to the figures, and to those that decide the paces of remote sources. */
  const addCalls = async () => {
    await addFigures(pool, sourceQueues, async (tx, { entry }, counts) => {
      const pace = entry.remote ? await updatePace(tx, entry, counts) : undefined;
      if (pace !== undefined) log.info({ source: entry.name, pace }, 'the pace of the source has changed');
    });
  };
  /** Marks the waiting tickets, unless another worker is doing so. No round of coordination waits for that. */
  const markTickets = () =>
    inTransaction(pool, async (tx) => {
      if (!(await lockMarks.one(tx)).is_locked) return;
      const states = await listSourceStates.all(tx);
      const blocks = new Map(states.map((state) => [state.name, blockOf(state)]));
      const sources = [
        ...sourceQueues.map(({ entry: { name, label } }) => ({
          name,
          label,
          cause: blocks.get(name) ?? null,
        })),
        ...disabled.map(({ name, label }) => ({ name, label, cause: 'disabled' })),
      ];
      await markWaitingTickets.run(tx, { sources });
    });
  const repeat = (ms: number, work: () => Promise<unknown>) =>
    new Loop(work, { pauseMs: () => ms, onFailure });
  const cleaning = repeat(cleaningMs, () => cleanUp(pool, cacheHours));
  const loops = [
    repeat(resumeMs, async () => batchTracker.resumeDue()),
    repeat(outrankedMs, async () => batchTracker.giveBackOutranked()),
    repeat(figuresMs, addCalls),
    repeat(marksMs, markTickets),
    cleaning,
  ];
  for (const loop of loops) loop.start();
  cleaning.wake();
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
      await addCalls().catch((err: unknown) => log.warn({ err }, 'the last figures could not be added'));
    },
  };
}

/** Returns for how many hours an answer is reused and kept. */
export function cacheHoursOf({
  CACHE_HOURS: hours,
  RETENTION_DAYS_CACHE: days,
}: Pick<Config, 'CACHE_HOURS' | 'RETENTION_DAYS_CACHE'>): number {
  return days === undefined ? hours : Math.min(hours, days * 24);
}

/**
 * Deletes data that is too old, one small step per call.
 * @returns whether there is more to delete
 */
export async function cleanUp(db: Queryable, cacheHours: number): Promise<boolean> {
  const deleted = [
    await deleteOldAnswers.run(db, { hours: cacheHours, limit: rowsPerStep }),
    await deleteOldReservations.run(db, { limit: rowsPerStep }),
    await deleteOldCallCounts.run(db, { limit: rowsPerStep }),
  ];
  return deleted.includes(rowsPerStep);
}
