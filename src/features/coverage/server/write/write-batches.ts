import type pg from 'pg';
import { inTransaction } from '#server/db.ts';
import { notify } from '#server/notify.queries.ts';
import { steadyNow } from '#server/steady-clock.ts';
import { insertFollowUpJob, sourcesWaitedFor } from '../jobs/follow-up-jobs.queries.ts';
import { lookupQueue, lookupsChannel } from '../jobs/lookup-jobs.queries.ts';
import { asQueueDatabase, type JobQueue } from '../jobs/open-queue.ts';
import { lockAvailableSources } from '../source-state/circuit.queries.ts';
import { type ReusableSource, saveAnswers } from './answer-cache.queries.ts';
import { type BatchChanges, mergeAdjacent } from './batch-changes.ts';
import { deleteReservations } from './reservations.queries.ts';
import {
  type Counts,
  lockTickets,
  sumCounts,
  updateLookupStates,
  updateResults,
  updateTicket,
} from './results.queries.ts';

export type WriteTools = {
  pool: pg.Pool;
  queue: Pick<JobQueue, 'complete'>;
  /** The sources whose answers are cached for other tickets of the same company. */
  reusable: ReusableSource[];
};

/**
 * Writes the changes of batches in one transaction: results, counters and the ends of jobs. Nothing is written for a
 * ticket that was cancelled or deleted. @returns those tickets
 */
export function writeBatches(
  { pool, queue, reusable }: WriteTools,
  changes: BatchChanges[],
): Promise<number[]> {
  const ticketIds = [...new Set(changes.map(({ batch }) => batch.ticketId))].sort((a, b) => a - b);
  return inTransaction(pool, async (tx) => {
    const tickets = await lockTickets(tx, ticketIds);
    const alive = ticketIds.filter((id) => ['Pending', 'Processing'].includes(tickets.get(id)?.status ?? ''));
    const current = changes.filter(({ batch }) => alive.includes(batch.ticketId));
    for (const ticketId of alive) {
      const counts = await writeRows(
        tx,
        current.filter(({ batch }) => batch.ticketId === ticketId),
      );
      const finished = counts.done + counts.failed;
      if (finished > 0 || tickets.get(ticketId)?.status === 'Pending')
        await updateTicket(tx, ticketId, counts);
    }
    // The answers for cancelled tickets, too: they were paid for.
    await saveAnswers(tx, reusable, changes);
    await endJobs(tx, queue, changes, new Set(alive));
    if (reusable.length > 0) await endReservations(tx, changes);
    return ticketIds.filter((id) => !alive.includes(id));
  });
}

async function writeRows(tx: pg.PoolClient, changes: BatchChanges[]): Promise<Counts> {
  const written: Counts[] = [];
  for (const { range, results, lookupStates } of mergeAdjacent(changes)) {
    if (results.length > 0) written.push(await updateResults(tx, range, results));
    if (lookupStates.length > 0) await updateLookupStates(tx, range, lookupStates);
  }
  return sumCounts(written);
}

async function endReservations(tx: pg.PoolClient, changes: BatchChanges[]): Promise<void> {
  const ended = changes.filter(({ followUp }) => followUp !== undefined);
  if (ended.length > 0)
    await deleteReservations(
      tx,
      ended.map(({ batch }) => batch.job.id),
    );
}

/** Ends the jobs of batches that ended. A job that another worker holds by now is left to it. */
async function endJobs(
  tx: pg.PoolClient,
  queue: Pick<JobQueue, 'complete'>,
  changes: BatchChanges[],
  alive: Set<number>,
): Promise<void> {
  const ended = changes.filter(({ followUp }) => followUp !== undefined);
  if (ended.length === 0) return;
  const jobs = ended.map(({ batch }) => batch.job);
  const { settled } = (await queue.complete(lookupQueue, jobs, null, { db: asQueueDatabase(tx) })) as {
    settled: string[];
  };
  const followed = ended.filter(
    ({ batch, followUp }) => followUp && alive.has(batch.ticketId) && settled.includes(batch.job.id),
  );
  if (followed.length === 0) return;
  // `closeCircuit` waits for the lock that this takes: either it releases the jobs inserted here, or it came first and
  // the source is available below.
  const available = await lockAvailableSources(tx);
  let isAnyDue = false;
  for (const { batch, followUp } of followed) {
    if (!followUp) continue;
    const isBack = sourcesWaitedFor(followUp.waitsFor).some((name) => available.has(name));
    const job = isBack ? { at: steadyNow(), waitsFor: null } : followUp;
    await insertFollowUpJob(tx, batch, job);
    isAnyDue ||= job.at <= steadyNow();
  }
  // What waits is found by those who look again and again, or when it is released.
  if (isAnyDue) await notify(tx, lookupsChannel);
}
