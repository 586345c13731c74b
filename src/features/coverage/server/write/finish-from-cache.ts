import { inTransaction } from '#server/db.ts';
import { type LookupJob, lookupQueue } from '../jobs/lookup-jobs.queries.ts';
import { asQueueDatabase } from '../jobs/open-queue.ts';
import { type ReusableAnswers, writeCachedResults } from './cached-results.queries.ts';
import { type Counts, limitLockWait, lockTickets, sumCounts, updateTicket } from './results.queries.ts';
import type { WriteTools } from './write-batches.ts';

type HeldJob = { id: string; retryCount: number; data: LookupJob };

/** As long as another holds a ticket, what reads jobs would wait for it, and with it all other tickets. */
const lockWaitMs = 1000;

/**
 * Finishes the rows of held jobs that the cache answers, without carrying the answers through this process, and ends the
 * jobs of which no row is left, all in one transaction. Nothing is written for a ticket that was cancelled or deleted.
 * @returns the jobs of which rows are left, with how many
 */
export function finishFromCache<Job extends HeldJob>(
  { pool, queue }: Pick<WriteTools, 'pool' | 'queue'>,
  jobs: Job[],
  answers: ReusableAnswers,
): Promise<{ finished: number; left: { job: Job; rows: number }[] }> {
  const ticketIds = [...new Set(jobs.map(({ data }) => data.ticketId))].sort((a, b) => a - b);
  return inTransaction(pool, async (tx) => {
    await limitLockWait(tx, lockWaitMs);
    const tickets = await lockTickets(tx, ticketIds);
    const rowsLeft = new Map<Job, number>();
    let finished = 0;
    for (const ticketId of ticketIds) {
      const status = tickets.get(ticketId)?.status ?? '';
      if (!['Pending', 'Processing'].includes(status)) continue;
      const own = jobs.filter(({ data }) => data.ticketId === ticketId);
      const written: Counts[] = [];
      for (const range of joinAdjacent(own)) {
        const { counts, left } = await writeCachedResults(tx, range, answers);
        written.push(counts);
        for (const position of left) {
          const job = own.find(({ data }) => data.lo <= position && position <= data.hi);
          if (job) rowsLeft.set(job, (rowsLeft.get(job) ?? 0) + 1);
        }
      }
      const sum = sumCounts(written);
      finished += sum.done;
      if (sum.done > 0 || status === 'Pending') await updateTicket(tx, ticketId, sum);
    }
    const ended = jobs.filter((job) => !rowsLeft.has(job));
    if (ended.length > 0) await queue.complete(lookupQueue, ended, null, { db: asQueueDatabase(tx) });
    return { finished, left: [...rowsLeft].map(([job, rows]) => ({ job, rows })) };
  });
}

/** The positions of one ticket's jobs, those that are adjacent as one range: each is one statement. */
function joinAdjacent(jobs: HeldJob[]): LookupJob[] {
  const ranges: LookupJob[] = [];
  for (const { data } of jobs.toSorted((a, b) => a.data.lo - b.data.lo)) {
    const last = ranges.at(-1);
    if (last && data.lo <= last.hi + 1) last.hi = Math.max(last.hi, data.hi);
    else ranges.push({ ...data });
  }
  return ranges;
}
