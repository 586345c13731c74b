import type pg from 'pg';
import { publishTicketEnd } from '#features/webhooks/server/events/publish-event.service.ts';
import { inTransaction } from '#server/db/db.ts';
import type { Registration } from '#server/processes/process-registration.ts';
import { endJobs, type FollowUp, giveBackJobs } from '../jobs/end-jobs.queries.ts';
import type { HeldJob } from '../jobs/lookup-jobs.queries.ts';
import type { Batch } from '../rows/batch.ts';
import type { LookupState } from '../rows/lookup-state.ts';
import type { RowResult } from '../rows/row-result.ts';
import { type ReusableSource, storeAnswers } from './answer-cache.queries.ts';
import { deleteReservations } from './reservations.queries.ts';
import { lockTickets, noCounts, updateLookupStates, updateResults, updateTicket } from './results.queries.ts';

/** The changes that one transaction writes for one batch. */
export type BatchChanges = {
  batch: Batch;
  results: RowResult[];
  /** The lookup states of rows without a result, by position. */
  lookupStates: Map<number, LookupState>;
  /**
   * Undefined while the batch continues; null if it ends with all rows finished; otherwise when the rest may continue.
   */
  followUp: FollowUp | null | undefined;
};

export type WriteTools = {
  pool: pg.Pool;
  registration: Pick<Registration, 'hold'>;
  /** The sources whose answers are cached for other tickets of the same company. */
  reusable: ReusableSource[];
};

/**
 * Writes the changes of batches in one transaction: results, counters and ended jobs. Writes no results for cancelled
 * and deleted tickets, and nothing for a process that is not registered.
 */
export function writeBatches(
  { pool, registration, reusable }: WriteTools,
  changes: BatchChanges[],
): Promise<void> {
  const ticketIds = [...new Set(changes.map(({ batch }) => batch.ticketId))];
  return inTransaction(pool, async (tx) => {
    await registration.hold(tx);
    const locked = await lockTickets.all(tx, { ids: ticketIds });
    const statuses = new Map(locked.map(({ id, status }) => [id, status]));
    for (const { batch, results, lookupStates } of changes) {
      const status = statuses.get(batch.ticketId);
      if (status === undefined) continue;
      if (lookupStates.size > 0) await updateLookupStates(tx, batch, lookupStates);
      const counts = results.length > 0 ? await updateResults(tx, batch, results) : noCounts;
      const isBegun = status === 'Pending' && batch.asked;
      if (!isBegun && counts.done + counts.failed === 0) continue;
      const ticket = await updateTicket.one(tx, { ...counts, id: batch.ticketId });
      statuses.set(batch.ticketId, ticket.status);
      if (ticket.status === 'Completed') await publishTicketEnd(tx, 'ticket.completed', ticket);
    }
    // Also for cancelled tickets, because the calls were paid for.
    await storeAnswers(tx, reusable, changes);
    await endOrGiveBackJobs(tx, changes, statuses);
    const endedChanges = changes.filter(({ followUp }) => followUp !== undefined);
    if (endedChanges.length > 0)
      await deleteReservations.run(tx, { jobs: endedChanges.map(({ batch }) => batch.job.id) });
  });
}

/** Ends the jobs of ended batches, or gives them back with their unfinished rows. Jobs that another worker holds by now stay. */
async function endOrGiveBackJobs(
  tx: pg.PoolClient,
  changes: BatchChanges[],
  running: ReadonlyMap<number, unknown>,
): Promise<void> {
  const jobsToEnd: HeldJob[] = [];
  const jobsToGiveBack: (HeldJob & FollowUp)[] = [];
  for (const { batch, followUp } of changes) {
    if (followUp === undefined) continue;
    if (followUp && running.has(batch.ticketId)) jobsToGiveBack.push({ ...batch.job, ...followUp });
    else jobsToEnd.push(batch.job);
  }
  if (jobsToEnd.length > 0) await endJobs.run(tx, { jobs: jobsToEnd });
  await giveBackJobs(tx, jobsToGiveBack);
}
