import { inTransaction } from '#server/db/db.ts';
import { type HeldJob, type LookupJob, lookupQueue } from '../jobs/lookup-jobs.queries.ts';
import { asQueueDatabase } from '../jobs/open-queue.ts';
import { limitLockWait, updateTicket } from '../write/results.queries.ts';
import type { WriteTools } from '../write/write-batches.ts';
import { type ReusableAnswers, writeCachedResults } from './cached-results.queries.ts';

/** As long as another holds a ticket, what reads jobs would wait for it, and with it all other tickets. */
const lockWaitMs = 1000;

/**
 * Finishes the rows of held jobs that the cache answers, without carrying the answers through this process, and ends the
 * jobs of which no row is left, all in one transaction. Nothing is written for a ticket that was cancelled or deleted.
 * @returns the jobs of which rows are left, with how many
 */
export function finishFromCache<Job extends HeldJob & { data: LookupJob }>(
  { pool, queue }: Pick<WriteTools, 'pool' | 'queue'>,
  jobs: Job[],
  answers: ReusableAnswers,
): Promise<{ finished: number; left: { job: Job; rows: number }[] }> {
  const ticketIds = [...new Set(jobs.map(({ data }) => data.ticketId))].sort((a, b) => a - b);
  return inTransaction(pool, async (tx) => {
    await limitLockWait(tx, lockWaitMs);
    const rowsLeft = new Map<Job, number>();
    let finished = 0;
    // In one order, so that two workers never wait for each other.
    for (const ticketId of ticketIds) {
      const own = jobs.filter(({ data }) => data.ticketId === ticketId);
      const ranges = own.map(({ data }) => data);
      const written = await writeCachedResults(tx, ticketId, ranges, answers);
      if (written === null) continue;
      for (const position of written.left) {
        const job = own.find(({ data }) => data.lo <= position && position <= data.hi);
        if (job) rowsLeft.set(job, (rowsLeft.get(job) ?? 0) + 1);
      }
      finished += written.counts.done;
      if (written.counts.done > 0 || written.isFirst) await updateTicket(tx, ticketId, written.counts);
    }
    const ended = jobs.filter((job) => !rowsLeft.has(job));
    if (ended.length > 0) await queue.complete(lookupQueue, ended, null, { db: asQueueDatabase(tx) });
    return { finished, left: [...rowsLeft].map(([job, rows]) => ({ job, rows })) };
  });
}
