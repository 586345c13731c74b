import type pg from 'pg';
import { Loop } from '#server/concurrency/loop.ts';
import type { Registration } from '#server/processes/process-registration.ts';
import type { Log } from '#server/runtime/log.ts';
import { steadyNow } from '#server/runtime/steady-clock.ts';
import { type FetchedJob, fetchJobs, type JobRequest } from '../jobs/fetch-jobs.queries.ts';
import { blockSize } from '../jobs/lookup-jobs.queries.ts';
import type { SourceQueue } from '../queues/source-queue.ts';
import type { Batch, LookupRow } from '../rows/batch.ts';
import type { ResultWriter } from '../write/result-writer.ts';
import type { BatchTracker } from './batch-tracker.ts';
import type { Demand } from './demand.ts';
import { createHeldJobs } from './held-jobs.ts';
import { loadBatch, type ReusableAnswers } from './load-batch.ts';
import { pickProbeRow } from './pick-probe-row.ts';

/** The interval between fetches when no notice announces new jobs. */
const pollMs = 1000;
/** The interval between fetches for companies short of rows, and for tickets of which this worker holds none. */
const turnsMs = 500;
/** 8 jobs every 500 ms: 3,200 rows a second of full blocks, 190 of tickets of 12 rows. */
const turnsJobs = 8;
const maxJobs = 25;
/** With fewer rows of a block, a ticket would run out of them at each turn, and always count as new. */
const minRows = 3;
/**
 * A worker holds at most this / (companies + 4) batches of one company, including those that wait to be written: enough
 * for all of its places, also if each has one row.
 */
const sharedBatches = (concurrency: number) => Math.max(500, 8 * concurrency);

export type JobFetcher = ReturnType<typeof createJobFetcher>;

export type JobFetcherParts = {
  pool: pg.Pool;
  registration: Pick<Registration, 'hold'>;
  log: Log;
  batchTracker: BatchTracker;
  writer: ResultWriter;
  demand: Demand;
  /** The maximum number of calls in flight. */
  concurrency: number;
  cache: ReusableAnswers;
  /** This worker's id. */
  worker: string;
};

/** Fetches jobs, so that each source has rows, and each company its part of them. */
export function createJobFetcher(parts: JobFetcherParts) {
  const { pool, registration, log, batchTracker, writer, demand, concurrency, cache, worker } = parts;
  let turnsAt = 0;
  const { loading, makeJobsReady, fetchToProbe, dropLost } = createHeldJobs({ pool, batchTracker, worker });
  /** Whether rows of the last fetch wait for a source. Then whole blocks are fetched, so that they wait as whole blocks. */
  let hasParked = false;
  /** Whether rows of the last fetch are for a source that may be asked. Only then it counts as a turn. */
  let hasActive = false;

  /**
   * Returns how many rows of a block to take. Not all rows of a company: they would be limited to one worker's part of the
   * limits.
   */
  const maxRowsToTake = (rows: number) =>
    hasParked || rows >= blockSize / 2 ? blockSize : Math.max(minRows, Math.ceil(rows));

  const load = async (job: FetchedJob) => {
    // A job that was lost and delivered again may have rows with unwritten answers. One may be written during the load.
    const unwritten = writer.findUnwritten(job);
    const batch = await loadBatch(pool, job, cache);
    const stillUnwritten = writer.findUnwritten(job);
    for (const row of batch.rows.active)
      row.reserved &&= !unwritten.has(row.position) && !stillUnwritten.has(row.position);
    return batch;
  };

  /** Loads a fetched job, and gives its batch to `add` unless the job was lost meanwhile. */
  const addLoaded = async <T>(job: FetchedJob, add: (batch: Batch) => T): Promise<T | undefined> => {
    loading.add(job);
    try {
      const batch = await load(job);
      return loading.has(job) ? add(batch) : undefined;
    } finally {
      loading.delete(job);
    }
  };

  const addBatches = async (jobs: FetchedJob[]) => {
    hasParked = false;
    hasActive = false;
    const add = (batch: Batch) => {
      batchTracker.add(batch);
      hasParked ||= batch.rows.parked.size > 0;
      hasActive ||= batch.rows.active.size > 0;
    };
    const loads = await Promise.allSettled(jobs.map((job) => addLoaded(job, add)));
    for (const loaded of loads) if (loaded.status === 'rejected') throw loaded.reason;
  };

  /** Fetches jobs and adds their batches. @returns whether there may be more for the sources that may be asked */
  const fetch = async (request: Omit<JobRequest, 'wanted' | 'worker'>, which: 'mayAsk' | 'short') => {
    await registration.hold(pool);
    const count = Math.min(maxJobs, request.count);
    const wanted = demand.findSources()[which];
    const jobs = await fetchJobs(pool, { ...request, worker, count, wanted });
    await addBatches(jobs);
    demand.fetched();
    return jobs.length > 0 && wanted.length > 0;
  };

  /** Runs one fetch. @returns whether to fetch again immediately */
  const fetchOnce = async (): Promise<boolean> => {
    await makeJobsReady();
    const room = Math.floor(writer.room / blockSize);
    if (room === 0) return false;
    const holdings = sumHoldings(batchTracker, sharedBatches(concurrency));
    // Otherwise their unwritten results would stop the worker for all companies.
    holdings.atMaximum.push(...writer.refusedCompanies);
    const isAnyOpen = demand.findSources().mayAsk.length > 0;
    if (isAnyOpen && holdings.tickets.length > 0 && performance.now() >= turnsAt) {
      const began = performance.now();
      const enough = Math.max(minRows, (0.9 * demand.target()) / holdings.rows.size);
      const count = Math.min(turnsJobs, room);
      const isFetched = await fetch(
        { ...holdings, count, most: maxRowsToTake(enough), enough, uploadsOnly: true },
        'mayAsk',
      );
      // At most a tenth of the time, because this is slow with a long queue. Rows that wait for a source took nobody's turn.
      if (hasActive || !hasParked)
        turnsAt = performance.now() + Math.max(turnsMs, 10 * (performance.now() - began));
      if (isFetched) return true;
    }
    const missingRows = demand.missing();
    const most = maxRowsToTake(Math.min(missingRows, demand.target()));
    const count = Math.min(room, Math.ceil(missingRows / most));
    if (count === 0) return false;
    const enough = Number.POSITIVE_INFINITY;
    return fetch({ ...holdings, count, most, enough, uploadsOnly: false }, 'short');
  };

  const loop = new Loop(fetchOnce, {
    pauseMs: () => (batchTracker.batches.size > 0 ? turnsMs : pollMs),
    onFailure: (error) => log.warn({ err: error }, 'jobs could not be fetched'),
  });

  return {
    /** Fetches soon, because there may be new jobs. */
    wake: () => loop.wake(),
    /** Fetches soon if the sources are short of rows. */
    refill() {
      if (writer.room >= blockSize && demand.missing() > 0) loop.wake();
    },
    /**
     * Fetches a job that waits for a source, adds its batch, and takes one of its rows for a probe. The row is active.
     */
    async fetchProbeRow(sourceQueue: SourceQueue) {
      const isFit = (row: LookupRow) =>
        row.cached === null &&
        row.reserved &&
        batchTracker.nextQueue(row, row.lookupState) === sourceQueue &&
        (row.lookupState.due ?? 0) <= steadyNow();
      await registration.hold(pool);
      const job = await fetchToProbe(sourceQueue.entry.name);
      if (!job) return undefined;
      return addLoaded(job, (batch) => {
        const probeRow = pickProbeRow([...batch.rows.active].filter(isFit));
        batchTracker.add(batch, probeRow);
        return probeRow;
      });
    },
    dropLostJobs: dropLost,
    /** The fetched jobs whose batches are not added yet. */
    loading,
    /** Stops fetching. Resolves when no fetch is running. */
    stop: () => loop.stop(),
  };
}

/** Returns this worker's holdings: active rows of uploads by company, companies at their maximum of jobs, and tickets. */
function sumHoldings(
  { batches, heldBatches }: Pick<BatchTracker, 'batches' | 'heldBatches'>,
  maxBatches: number,
) {
  const rows = new Map<string, number>();
  for (const {
    companyCode,
    isRecheck,
    rows: { active },
  } of batches)
    rows.set(companyCode, (rows.get(companyCode) ?? 0) + (isRecheck ? 0 : active.size));
  const jobs = Map.groupBy(heldBatches, ({ companyCode }) => companyCode);
  const most = maxBatches / (jobs.size + 4);
  const atMaximum = [...jobs].filter(([, own]) => own.length >= most).map(([company]) => company);
  return { rows, atMaximum, tickets: [...new Set([...batches].map(({ ticketId }) => ticketId))] };
}
