import type pg from 'pg';
import { fetchJobs } from '#features/lookups/server/jobs/fetch-jobs.queries.ts';
import type { FetchedJob } from '#features/lookups/server/jobs/lookup-jobs.queries.ts';

/** Fetches ready jobs in their turns, as a worker that holds none does. */
export function fetchReady(pool: pg.Pool, count = 1): Promise<FetchedJob[]> {
  const none = { rows: new Map(), full: [], satisfied: [], tickets: [], uploadsOnly: false };
  return fetchJobs(pool, { ...none, count, wanted: [] });
}
