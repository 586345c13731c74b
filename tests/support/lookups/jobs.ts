import type pg from 'pg';
import { type FetchedJob, fetchJobs } from '#features/lookups/server/jobs/fetch-jobs.queries.ts';
import { blockSize } from '#features/lookups/server/jobs/lookup-jobs.queries.ts';

/** The worker whose jobs `fetchReady` fetches. */
export const holder = '00000000-0000-4000-8000-000000000038';

/** Fetches ready jobs in their turns, as a worker that holds none does. */
export function fetchReady(pool: pg.Pool, count = 1): Promise<FetchedJob[]> {
  const none = {
    rows: new Map(),
    atMaximum: [],
    enough: Number.POSITIVE_INFINITY,
    most: blockSize,
    tickets: [],
    uploadsOnly: false,
  };
  return fetchJobs(pool, { ...none, worker: holder, count, wanted: [] });
}

/** Adds jobs for the first blocks of a ticket that has no such rows. */
export async function addBlocks(pool: pg.Pool, ticketId: number, count: number): Promise<void> {
  await pool.query(
    `INSERT INTO lookup_jobs (company_code, ticket_id, lo, hi, is_recheck)
     SELECT company_code, id, b * ${blockSize}, (b + 1) * ${blockSize} - 1, import_kind IS NOT DISTINCT FROM 'recheck'
     FROM tickets CROSS JOIN generate_series(0, $2::int - 1) AS b WHERE id = $1`,
    [ticketId, count],
  );
}
