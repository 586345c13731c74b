import type { Queryable } from '#server/db.ts';

/** The queue's name; its settings are in the migration that makes it. */
export const lookupQueue = 'lookups';

/** Notified with a ticket's id when lookups were put into the queue. */
export const lookupsChannel = 'lookups';

/** Positions per job. Jobs are blocks of positions: block b holds b × 200 to b × 200 + 199. */
export const blockSize = 200;

/** What a job says: look up the rows of one ticket, within these positions, that have no outcome yet. */
export type LookupJob = { ticketId: number; lo: number; hi: number };

// A later block has a lower priority, so that the first rows of a ticket that has just come never stand behind the
// last rows of a long one.
const insertBlocks = `
  INSERT INTO pgboss.job (name, data, priority, group_id, start_after, keep_until, expire_seconds, deletion_seconds,
                          retry_limit, retry_delay, retry_backoff, policy, heartbeat_seconds)
  SELECT q.name, jsonb_build_object('ticketId', $1::bigint, 'lo', b * $2::integer, 'hi', b * $2::integer + $2::integer - 1),
         -b, $1::bigint::text, now(), now() + q.retention_seconds * interval '1 second', q.expire_seconds,
         q.deletion_seconds, q.retry_limit, q.retry_delay, q.retry_backoff, q.policy, q.heartbeat_seconds
  FROM pgboss.queue q`;

/** Puts every block of a ticket up to `lastPosition` into the queue. A million rows take about 0.1 s. */
export async function insertAllBlocks(tx: Queryable, ticketId: number, lastPosition: number): Promise<void> {
  await tx.query(
    `${insertBlocks} CROSS JOIN generate_series(0, $4::integer / $2::integer) AS b WHERE q.name = $3`,
    [ticketId, blockSize, lookupQueue, lastPosition],
  );
}

/** Puts those blocks of a ticket into the queue that hold rows without an outcome. */
export async function insertPendingBlocks(tx: Queryable, ticketId: number): Promise<void> {
  await tx.query(
    `${insertBlocks} CROSS JOIN (
       SELECT DISTINCT position / $2::integer AS b FROM serials WHERE ticket_id = $1 AND state = 'pending'
     ) AS blocks WHERE q.name = $3`,
    [ticketId, blockSize, lookupQueue],
  );
}

/** Takes every job of a ticket out of the queue, also those that a worker holds (it finds out and lets go). */
export async function deleteJobsOfTicket(tx: Queryable, ticketId: number): Promise<void> {
  await tx.query(
    `WITH jobs AS (
       SELECT id FROM pgboss.job WHERE name = $1 AND group_id = $2::bigint::text AND state <= 'active'
       ORDER BY id FOR UPDATE)
     DELETE FROM pgboss.job AS j USING jobs WHERE j.name = $1 AND j.id = jobs.id`,
    [lookupQueue, ticketId],
  );
}

/** Puts the rest of a block back into the queue, not before `at` (epoch ms). */
export async function insertFollowing(
  tx: Queryable,
  { ticketId, lo, hi }: LookupJob,
  { at, waits }: { at: number; waits: string | null },
): Promise<void> {
  await tx.query(
    `INSERT INTO pgboss.job (name, data, priority, group_id, singleton_key, start_after, keep_until, expire_seconds,
                             deletion_seconds, retry_limit, retry_delay, retry_backoff, policy, heartbeat_seconds)
     SELECT q.name, jsonb_build_object('ticketId', $2::bigint, 'lo', $3::integer, 'hi', $4::integer), $5::integer,
            $2::bigint::text, $6, to_timestamp($7::float8 / 1000),
            to_timestamp($7::float8 / 1000) + q.retention_seconds * interval '1 second', q.expire_seconds,
            q.deletion_seconds, q.retry_limit, q.retry_delay, q.retry_backoff, q.policy, q.heartbeat_seconds
     FROM pgboss.queue q WHERE q.name = $1`,
    [lookupQueue, ticketId, lo, hi, -Math.floor(lo / blockSize), waits, at],
  );
}

/** Keeps the held jobs alive. Answers those that are still held; the others were taken away or given to another. */
export async function touchJobs(
  db: Queryable,
  jobs: { id: string; retryCount: number }[],
): Promise<Set<string>> {
  // Locked in one order, as deleteJobsOfTicket does, so that the two never wait for each other.
  const { rows } = await db.query<{ id: string }>(
    `WITH held AS (
       SELECT j.id FROM pgboss.job AS j
       JOIN unnest($2::uuid[], $3::integer[]) AS h(id, retry_count) ON h.id = j.id AND h.retry_count = j.retry_count
       WHERE j.name = $1 AND j.state = 'active' ORDER BY j.id FOR UPDATE OF j)
     UPDATE pgboss.job AS j SET heartbeat_on = now() FROM held WHERE j.name = $1 AND j.id = held.id RETURNING j.id`,
    [lookupQueue, jobs.map(({ id }) => id), jobs.map(({ retryCount }) => retryCount)],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Lets the jobs that waited for something go on at once. */
export async function releaseJobs(tx: Queryable, waits: string[]): Promise<number> {
  const { rowCount } = await tx.query(
    `UPDATE pgboss.job SET start_after = now(), singleton_key = NULL
     WHERE name = $1 AND state < 'active' AND singleton_key = ANY($2)`,
    [lookupQueue, waits],
  );
  return rowCount ?? 0;
}

/**
 * Lets jobs go on that wait for a source which is open, or which no worker asks any more.
 * @param sources the names of those that are asked
 */
export async function releaseStrandedJobs(tx: Queryable, sources: string[]): Promise<void> {
  await tx.query(
    `UPDATE pgboss.job SET start_after = now(), singleton_key = NULL
     WHERE name = $1 AND state < 'active' AND starts_with(singleton_key, 'source:') AND NOT EXISTS (
       SELECT FROM sources AS s WHERE s.name = ANY($2) AND singleton_key = 'source:' || s.name
         AND (s.state <> 'up' OR s.paused))`,
    [lookupQueue, sources],
  );
}
