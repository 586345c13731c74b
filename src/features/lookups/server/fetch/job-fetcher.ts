import type pg from 'pg';
import { Loop } from '#server/concurrency/loop.ts';
import type { Registration } from '#server/processes/process-registration.ts';
import type { Log } from '#server/runtime/log.ts';
import { steadyNow } from '#server/runtime/steady-clock.ts';
import {
  blockSize,
  type FetchedJob,
  hasJobs,
  type LookupJob,
  lookupQueue,
} from '../jobs/lookup-jobs.queries.ts';
import type { JobQueue } from '../jobs/open-queue.ts';
import { fetchJobToProbe, fetchWaitingJobs } from '../jobs/waiting-jobs.queries.ts';
import type { SourceQueue } from '../queues/source-queue.ts';
import type { LookupRow } from '../rows/batch.ts';
import type { ResultWriter } from '../write/result-writer.ts';
import type { BatchTracker } from './batch-tracker.ts';
import type { Demand } from './demand.ts';
import { loadBatch, type ReusableAnswers } from './load-batch.ts';
import { pickProbeRow } from './pick-probe-row.ts';

/** The interval between fetches when no notice announces new jobs. */
const pollMs = 1000;
/** The interval between fetches for tickets of which this worker holds no rows. */
const newTicketsMs = 500;
const maxJobs = 25;
const maxProbeJobs = 3;
/** The maximum number of held batches, including those that wait to be written. */
const maxBatches = 500;

/** Fetches jobs, so that each source has rows, from every ticket that has some. */
export type JobFetcher = {
  /** Fetches soon, because there may be new jobs. */
  wake(): void;
  /** Fetches soon if the sources are short of rows. */
  refill(): void;
  /**
   * Fetches a job that waits for a source, adds its batch, and takes one of its rows for a probe. The row is active.
   */
  fetchProbeRow(sourceQueue: SourceQueue): Promise<LookupRow | undefined>;
  /** The fetched jobs whose batches are not added yet. */
  readonly loading: ReadonlySet<FetchedJob>;
  /** Stops fetching. Resolves when no fetch is running. */
  stop(): Promise<void>;
};

export type JobFetcherParts = {
  pool: pg.Pool;
  queue: Pick<JobQueue, 'fetch'>;
  registration: Pick<Registration, 'hold'>;
  log: Log;
  batchTracker: BatchTracker;
  writer: ResultWriter;
  demand: Demand;
  /**
   * Returns whether any source may be asked now. While none may, jobs are only fetched to find the reason of their wait.
   */
  isAnyAvailable(): boolean;
  cache: ReusableAnswers;
};

export function createJobFetcher(parts: JobFetcherParts): JobFetcher {
  const { pool, queue, registration, log, batchTracker, writer, demand, isAnyAvailable, cache } = parts;
  let newTicketsAt = 0;
  const loading = new Set<FetchedJob>();

  /** Marks jobs as held while some work with them runs. */
  const holdDuring = async <T>(jobs: FetchedJob[], work: () => Promise<T>): Promise<T> => {
    for (const job of jobs) loading.add(job);
    try {
      return await work();
    } finally {
      for (const job of jobs) loading.delete(job);
    }
  };

  /** Fetches at least one job from the queue, except from the given tickets. */
  const fetchFromQueue = (count: number, withoutTickets: string[]) =>
    queue.fetch<LookupJob>(lookupQueue, {
      batchSize: Math.max(1, Math.min(maxJobs, count)),
      ...(withoutTickets.length > 0 && { ignoreGroups: withoutTickets }),
    });

  const load = async (job: FetchedJob) => {
    // A job that was lost and delivered again may have rows with unwritten answers. One may be written during the load.
    const unwritten = writer.findUnwritten(job.data);
    const loaded = await loadBatch(pool, job, cache);
    const stillUnwritten = writer.findUnwritten(job.data);
    for (const row of loaded.rows)
      row.reserved &&= !unwritten.has(row.position) && !stillUnwritten.has(row.position);
    return loaded;
  };

  const addBatches = (jobs: FetchedJob[]) =>
    holdDuring(jobs, async () => {
      await Promise.all(
        jobs.map(async (job) => {
          const { batch, rows } = await load(job);
          batchTracker.add(batch, rows);
        }),
      );
    });

  /**
   * Fetches jobs and adds their batches. Up to half of them are waiting jobs, so that neither kind delays the other.
   * @returns the number of jobs
   */
  const fetchJobs = async (count: number, withoutTickets: string[], which: 'mayAsk' | 'short') => {
    await registration.hold(pool);
    const { [which]: wanted } = demand.findSources();
    const waited = Math.min(maxJobs, Math.ceil(count / 2));
    const jobs: FetchedJob[] = await fetchWaitingJobs(pool, {
      count: waited,
      wanted,
      withoutTickets,
    });
    if (jobs.length < count) jobs.push(...(await fetchFromQueue(count - jobs.length, withoutTickets)));
    await addBatches(jobs);
    demand.fetched();
    return jobs.length;
  };

  /** Runs one fetch. @returns whether to fetch again immediately */
  const fetchOnce = async (): Promise<boolean> => {
    // Cheaper than a fetch.
    if (batchTracker.batches.size === 0 && !(await hasJobs(pool))) return false;
    const held = new Map<number, number>();
    for (const { ticketId, active } of batchTracker.batches)
      held.set(ticketId, (held.get(ticketId) ?? 0) + active);
    const room = Math.floor(writer.room / blockSize);
    if (batchTracker.held.size >= maxBatches || room === 0 || !demand.mayFetch()) return false;
    if (performance.now() >= newTicketsAt) {
      const began = performance.now();
      const tickets = [...held.keys()].map(String);
      const count = held.size > 0 ? await fetchJobs(Math.min(4, room), tickets, 'mayAsk') : 0;
      // At most a tenth of the time, because this is slow with a long queue.
      newTicketsAt = performance.now() + Math.max(newTicketsMs, 10 * (performance.now() - began));
      if (count > 0) return true;
    }
    const count = Math.min(room, Math.ceil(demand.missing() / blockSize));
    if (count === 0) return false;
    // Tickets that have their fair part of the rows are skipped first.
    const fairPart = demand.target() / Math.max(1, held.size);
    const satisfied = [...held].filter(([, rows]) => rows >= fairPart).map(([ticketId]) => String(ticketId));
    if ((await fetchJobs(count, satisfied, 'short')) > 0) return isAnyAvailable();
    return satisfied.length > 0 && (await fetchJobs(count, [], 'short')) > 0 && isAnyAvailable();
  };

  const loop = new Loop(fetchOnce, {
    pauseMs: () => (batchTracker.batches.size > 0 ? newTicketsMs : pollMs),
    onFailure: (error) => log.warn({ err: error }, 'jobs could not be fetched'),
  });

  return {
    wake: () => loop.wake(),
    refill() {
      if (writer.room >= blockSize && demand.mayFetch() && demand.missing() > 0) loop.wake();
    },
    async fetchProbeRow(sourceQueue) {
      const isFit = (row: LookupRow) =>
        row.cached === null &&
        row.reserved &&
        batchTracker.nextQueue(row, row.lookupState) === sourceQueue &&
        (row.lookupState.due ?? 0) <= steadyNow();
      await registration.hold(pool);
      const loaded: Awaited<ReturnType<typeof load>>[] = [];
      let picked: LookupRow | undefined;
      // All rows of a job may be rows that the source has already refused.
      while (loaded.length < maxProbeJobs && picked?.lookupState.refusedAt !== null) {
        const job = await fetchJobToProbe(pool, sourceQueue.entry.name);
        if (!job) break;
        loaded.push(await holdDuring([job], () => load(job)));
        picked = pickProbeRow(loaded.flatMap(({ rows }) => rows.filter(isFit)));
      }
      if (picked) picked.batch.active += 1;
      for (const { batch, rows } of loaded) {
        batchTracker.add(
          batch,
          rows.filter((row) => row !== picked),
        );
      }
      return picked;
    },
    loading,
    stop: () => loop.stop(),
  };
}
