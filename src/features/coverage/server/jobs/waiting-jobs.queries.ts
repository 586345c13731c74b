import type { Queryable } from '#server/db.ts';
import { type LookupJob, lookupQueue } from './lookup-jobs.queries.ts';

/** Takes one job that waits for a source, as a fetch from the queue would, although it is not due. */
export async function claimWaitingJob(
  db: Queryable,
  source: string,
): Promise<{ id: string; retryCount: number; data: LookupJob } | undefined> {
  const { rows } = await db.query<{ id: string; retryCount: number; data: LookupJob }>(
    `UPDATE pgboss.job AS j SET
       state = 'active', started_on = now(), heartbeat_on = now(), singleton_key = NULL,
       retry_count = CASE WHEN started_on IS NULL THEN retry_count ELSE retry_count + 1 END
     WHERE j.name = $1 AND j.id = (
       SELECT id FROM pgboss.job WHERE name = $1 AND state < 'active' AND singleton_key = $2
       ORDER BY priority DESC, created_on LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING j.id, j.retry_count AS "retryCount", j.data`,
    [lookupQueue, `source:${source}`],
  );
  return rows[0];
}
