import { bool, int4, uuid } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

/** The queue's name. A migration creates the queue with its settings. */
export const lookupQueue = 'lookups';

/** The channel that announces new jobs, with the ticket's id. */
export const lookupsChannel = 'lookups';

/** Positions per job: block b holds positions b × 200 to b × 200 + 199. */
export const blockSize = 200;

/** The data of a job: the pending rows of one ticket within these positions are looked up. */
export type LookupJob = { ticketId: number; lo: number; hi: number };

/**
 * Returns the statement that inserts a job for each row of `blocks` (ticket_id, lo, hi). Later blocks
 * have a lower priority, so that the first rows of a new ticket never wait behind the last rows of a long one.
 * `start_after` is the epoch, so that no job waits after the clock is set back.
 */
export const insertJobs = (blocks: string, state: 'created' | 'active') => `
  INSERT INTO pgboss.job (name, data, priority, group_id, start_after, keep_until, expire_seconds, deletion_seconds,
                          retry_limit, retry_delay, retry_backoff, policy, heartbeat_seconds, state, started_on, heartbeat_on)
  SELECT q.name, jsonb_build_object('ticketId', b.ticket_id, 'lo', b.lo, 'hi', b.hi), -(b.lo / ${blockSize}),
         b.ticket_id::text, 'epoch', now() + q.retention_seconds * interval '1 second', q.expire_seconds,
         q.deletion_seconds, q.retry_limit, q.retry_delay, q.retry_backoff, q.policy, q.heartbeat_seconds, '${state}',
         ${state === 'active' ? 'now(), now()' : 'NULL, NULL'}
  FROM pgboss.queue AS q CROSS JOIN ${blocks} AS b WHERE q.name = '${lookupQueue}'`;

/** Returns the blocks with the numbers `b` of ticket `$1`, in the shape of `insertJobs`. */
const asBlocks = (numbers: string) =>
  `(SELECT $1::bigint AS ticket_id, b * ${blockSize} AS lo, (b + 1) * ${blockSize} - 1 AS hi FROM ${numbers} AS n(b))`;

/** Queues every block of a ticket up to `lastPosition`. A million rows take about 0.1 s. */
export const insertAllBlocks = statement({
  text: insertJobs(asBlocks(`generate_series(0, $2::integer / ${blockSize})`), 'created'),
}).runWith<[ticketId: number, lastPosition: number]>();

export const insertPendingBlocks = statement({
  text: insertJobs(
    asBlocks(
      `(SELECT DISTINCT position / ${blockSize} FROM serials WHERE ticket_id = $1 AND state = 'pending')`,
    ),
    'created',
  ),
}).runWith<[ticketId: number]>();

const deleteWaitingOfTicket = statement({
  text: 'DELETE FROM waiting_jobs WHERE ticket_id = $1',
});

const deleteOfTicket = statement({
  text: `WITH jobs AS (
       SELECT id FROM pgboss.job WHERE name = '${lookupQueue}' AND group_id = $1::bigint::text AND state <= 'active'
       ORDER BY id FOR UPDATE)
     DELETE FROM pgboss.job AS j USING jobs WHERE j.name = '${lookupQueue}' AND j.id = jobs.id`,
});

/** Deletes every job of a ticket. A worker that holds one drops it at its next heartbeat. */
export async function deleteJobsOfTicket(tx: Queryable, ticketId: number): Promise<void> {
  // First, because a waiting job that is being fetched becomes one of the jobs below.
  await deleteWaitingOfTicket.run(tx, [ticketId]);
  await deleteOfTicket.run(tx, [ticketId]);
}

const touch = statement({
  // Skips locked jobs. The transaction that ends or deletes them may itself wait for the ticket, so do not wait for it.
  text: `WITH held AS (
       SELECT j.id, j.retry_count FROM pgboss.job AS j
       JOIN unnest($1::uuid[], $2::integer[]) AS h(id, retry_count) ON h.id = j.id AND h.retry_count = j.retry_count
       WHERE j.name = '${lookupQueue}' AND j.state = 'active'),
     unlocked AS (
       SELECT j.id FROM pgboss.job AS j JOIN held AS h ON h.id = j.id AND h.retry_count = j.retry_count
       WHERE j.name = '${lookupQueue}' AND j.state = 'active' FOR UPDATE OF j SKIP LOCKED),
     touched AS (
       UPDATE pgboss.job AS j SET heartbeat_on = now() FROM unlocked AS u WHERE j.name = '${lookupQueue}' AND j.id = u.id)
     SELECT id, retry_count FROM held`,
  row: { id: uuid, retry_count: int4 },
});

/** A job as one worker holds it. The queue raises the retry count when it delivers a job again. */
export type HeldJob = { id: string; retryCount: number };

/** A job as the queue returns it. */
export type FetchedJob = HeldJob & { data: LookupJob };

/**
 * Sends the heartbeat of the jobs that a worker holds.
 * @returns the jobs that it no longer holds: they were ended, deleted or delivered again
 */
export async function touchJobs(db: Queryable, jobs: HeldJob[]): Promise<Set<HeldJob>> {
  const rows = await touch.all(db, [jobs.map(({ id }) => id), jobs.map(({ retryCount }) => retryCount)]);
  const held = new Map(rows.map(({ id, retry_count }) => [id, retry_count]));
  return new Set(jobs.filter(({ id, retryCount }) => held.get(id) !== retryCount));
}

/** Returns whether there is a job, due or held, or a waiting job. */
export const hasJobs = statement({
  name: 'has-jobs',
  text: `SELECT EXISTS (SELECT FROM pgboss.job WHERE name = '${lookupQueue}' AND state <= 'active')
       OR EXISTS (SELECT FROM waiting_jobs) AS has_jobs`,
  row: { has_jobs: bool },
}).valueWith();
