import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import { inTransaction } from '#server/db.ts';
import { insertFollowing, lookupQueue, lookupsChannel } from '../jobs/lookup-jobs.queries.ts';
import { asQueueDatabase } from '../jobs/open-queue.ts';
import type { Brought } from '../rows/batch.ts';
import { readOpenSources } from '../source-state/circuit.queries.ts';
import { keepAnswers, type ReusableSource } from './answer-cache.queries.ts';
import { joinNeighbours } from './batch-changes.ts';
import {
  addFinished,
  type Counts,
  lockTickets,
  updateProgress,
  updateResults,
  updateTicket,
} from './results.queries.ts';

export type WriteTools = {
  pool: pg.Pool;
  queue: PgBoss;
  /** The sources whose answers are kept for other tickets. */
  reusable: ReusableSource[];
};

/**
 * Writes what lookups brought in one transaction: outcomes, counters and the ends of jobs. Nothing is written for
 * tickets that were stopped or deleted. @returns those tickets
 */
export function writeBrought({ pool, queue, reusable }: WriteTools, entries: Brought[]): Promise<number[]> {
  const ticketIds = [...new Set(entries.map(({ batch }) => batch.ticketId))].sort((a, b) => a - b);
  return inTransaction(pool, async (tx) => {
    const tickets = await lockTickets(tx, ticketIds);
    const alive = ticketIds.filter((id) => ['Pending', 'Processing'].includes(tickets.get(id)?.status ?? ''));
    const current = entries.filter(({ batch }) => alive.includes(batch.ticketId));
    for (const ticketId of alive) {
      const counts = await writeRows(
        tx,
        current.filter(({ batch }) => batch.ticketId === ticketId),
      );
      const finished = counts.done + counts.failed;
      if (finished > 0 || tickets.get(ticketId)?.status === 'Pending')
        await updateTicket(tx, ticketId, counts);
      if (finished > 0) await addFinished(tx, ticketId, finished);
    }
    // Also those for tickets that are gone: they were asked for, and paid.
    await keepAnswers(
      tx,
      reusable,
      entries.flatMap(({ results }) => results),
    );
    await endJobs(tx, queue, entries, new Set(alive));
    return ticketIds.filter((id) => !alive.includes(id));
  });
}

async function writeRows(tx: pg.PoolClient, entries: Brought[]): Promise<Counts> {
  const sum: Counts = { done: 0, failed: 0, activated: 0, unactivated: 0 };
  for (const { range, results, progress } of joinNeighbours(entries)) {
    if (results.length > 0) {
      const counts = await updateResults(tx, range, results);
      for (const name of Object.keys(sum) as (keyof Counts)[]) sum[name] += counts[name];
    }
    if (progress.length > 0) await updateProgress(tx, range, progress);
  }
  return sum;
}

/** Ends the jobs whose batches are over. A job that is no longer ours is left to whoever has it. */
async function endJobs(
  tx: pg.PoolClient,
  queue: PgBoss,
  entries: Brought[],
  alive: Set<number>,
): Promise<void> {
  const over = entries.filter(({ follow }) => follow !== undefined);
  if (over.length === 0) return;
  const jobs = over.map(({ batch }) => batch.job);
  const { settled } = (await queue.complete(lookupQueue, jobs, null, { db: asQueueDatabase(tx) })) as {
    settled: string[];
  };
  const following = over.filter(
    ({ batch, follow }) => follow && alive.has(batch.ticketId) && settled.includes(batch.job.id),
  );
  if (following.length === 0) return;
  // Read with a lock that the return of a source waits for: either its release finds these jobs, or it is seen here.
  const open = await readOpenSources(tx);
  for (const { batch, follow } of following) {
    if (!follow) continue;
    const isBack = follow.waits?.startsWith('source:') && open.has(follow.waits.slice('source:'.length));
    await insertFollowing(tx, batch, isBack ? { at: Date.now(), waits: null } : follow);
  }
  await tx.query('SELECT pg_notify($1, $2)', [lookupsChannel, '']);
}
