import type pg from 'pg';
import { neverAborts } from '#server/concurrency/never-aborts.ts';
import { Semaphore } from '#server/concurrency/semaphore.ts';
import { type FetchedJob, fetchJobToProbe } from '../jobs/fetch-jobs.queries.ts';
import { type HeldJob, listLostJobs, makeDueJobsReady } from '../jobs/lookup-jobs.queries.ts';
import { shortenWaits } from '../workers/clock.queries.ts';
import type { BatchTracker } from './batch-tracker.ts';

type HeldJobsParts = {
  pool: pg.Pool;
  batchTracker: Pick<BatchTracker, 'heldBatches' | 'drop'>;
  /** This worker's id. */
  worker: string;
};

/** Knows the jobs that this worker holds, from their fetch until their end is written. */
export function createHeldJobs({ pool, batchTracker, worker }: HeldJobsParts) {
  const loading = new Set<FetchedJob>();
  const single = new Semaphore(1);
  /** The time of the last round, by the database's clock. */
  let roundAt: Date | undefined;

  const list = () => [...loading, ...[...batchTracker.heldBatches].map(({ job }) => job)];

  /** Runs one statement at a time: the fetch of a job for a probe, or what gives back all jobs that are not known. */
  const oneByOne = async <T>(run: () => Promise<T>): Promise<T> => {
    const release = await single.take(neverAborts);
    return run().finally(release);
  };

  return {
    /** The fetched jobs whose batches are not added yet. */
    loading,
    /**
     * Makes jobs ready that waited for a time, or that nobody works on any more. Run it only while no fetch is running, except
     * `fetchToProbe`.
     */
    async makeJobsReady() {
      const { at } = await oneByOne(() =>
        makeDueJobsReady.one(pool, { worker, known: list().map(({ id }) => id) }),
      );
      if (roundAt === undefined || at < roundAt) await shortenWaits.run(pool);
      roundAt = at;
    },
    /** Fetches the job that has waited longest for a source, and adds it to `loading`. */
    fetchToProbe: (source: string) =>
      oneByOne(async () => {
        const job = await fetchJobToProbe.first(pool, { worker, source });
        if (job) loading.add(job);
        return job;
      }),
    /** Drops the jobs that were deleted, or freed because this worker was gone. */
    async dropLost() {
      const jobs = list();
      if (jobs.length === 0) return;
      const lost = new Set((await listLostJobs.all(pool, { jobs })).map(keyOf));
      for (const job of loading) if (lost.has(keyOf(job))) loading.delete(job);
      batchTracker.drop(({ job }) => lost.has(keyOf(job)));
    },
  };
}

/** Returns what tells a job from others, and from itself as it was fetched another time. */
const keyOf = ({ id, holds }: HeldJob) => `${id} ${holds}`;
