import type pg from 'pg';
import { inTransaction } from '#server/db.ts';
import type { Log } from '#server/log.ts';
import { restartLookups } from './coverage.service.ts';
import type { Ledger } from './fetch/batch-tracker.ts';
import { touchJobs } from './jobs/lookup-jobs.queries.ts';
import { findOrphanedTickets, lockOrphanedTicket } from './jobs/orphaned-tickets.queries.ts';
import { addHealth, deleteOldHealth } from './source-figures/call-counts.queries.ts';
import type { Lane } from './source-queues/source-queue.ts';
import { deleteOldEntries } from './write/answer-cache.queries.ts';

/** Jobs without a heartbeat for 10 s are given to another worker. */
const heartbeatMs = 1500;
const healthMs = 2000;
const orphansMs = 30_000;
const cleaningMs = 3_600_000;

/** What is done again and again beside the lookups. */
export type Chores = {
  /** Lets go at once of batches whose jobs were taken away. */
  checkHeld(): Promise<void>;
  stop(): Promise<void>;
};

export type ChoresParts = { pool: pg.Pool; log: Log; ledger: Ledger; lanes: Lane[]; cacheHours: number };

export function startChores({ pool, log, ledger, lanes, cacheHours }: ChoresParts): Chores {
  const addFigures = async () => {
    for (const { entry, health } of lanes) {
      const count = health.take();
      if (count) await addHealth(pool, entry.name, count);
    }
  };
  const chores = [
    repeat(heartbeatMs, () => touchHeldJobs(pool, ledger)),
    repeat(healthMs, addFigures),
    repeat(orphansMs, () => adoptOrphans(pool, log)),
    repeat(cleaningMs, async () => {
      await deleteOldEntries(pool, cacheHours);
      await deleteOldHealth(pool);
    }),
  ];

  /** Does something every so often, never twice at once. */
  function repeat(ms: number, work: () => Promise<void>) {
    let stopped = false;
    let timer: NodeJS.Timeout | undefined;
    let current = Promise.resolve();
    const run = () => {
      current = work()
        .catch((error: unknown) => log.warn({ err: error }, 'a chore failed, it is tried again'))
        .then(() => {
          if (!stopped) timer = setTimeout(run, ms);
        });
    };
    timer = setTimeout(run, ms);
    return {
      async stop() {
        stopped = true;
        clearTimeout(timer);
        await current;
      },
    };
  }

  return {
    checkHeld: () =>
      touchHeldJobs(pool, ledger).catch((error: unknown) =>
        log.warn({ err: error }, 'held jobs could not be checked'),
      ),
    async stop() {
      await Promise.all(chores.map((chore) => chore.stop()));
      await addFigures();
    },
  };
}

/** Keeps the held jobs; lets go of those that were taken away (their ticket was stopped) or given to another. */
async function touchHeldJobs(pool: pg.Pool, ledger: Ledger): Promise<void> {
  const held = [...ledger.batches];
  if (held.length === 0) return;
  const alive = await touchJobs(
    pool,
    held.map(({ job }) => job),
  );
  const lost = new Set(held.filter(({ job }) => !alive.has(job.id)));
  ledger.drop((batch) => lost.has(batch));
}

async function adoptOrphans(pool: pg.Pool, log: Log): Promise<void> {
  for (const ticketId of await findOrphanedTickets(pool)) {
    await inTransaction(pool, async (tx) => {
      if (!(await lockOrphanedTicket(tx, ticketId))) return;
      log.error({ ticketId }, 'a ticket had rows left and no job; it goes on');
      await restartLookups(tx, ticketId);
    });
  }
}
