import { int4, jsonb, notNull, type RowOf, uuid } from '#server/column-types.ts';
import type { Queryable } from '#server/db.ts';
import { statement } from '#server/statement.ts';
import { steadyNow } from '#server/steady-clock.ts';
import { blockSize, type LookupJob, lookupQueue } from './lookup-jobs.queries.ts';

/** What becomes of the rows that a batch ends without a result for: they go back to the queue as a job. */
export type FollowUp = {
  /** The job is not fetched before this time (`steadyNow`). */
  at: number;
  /**
   * What the job waits for, as its key in the queue: `source:NAME,NAME` until one of these sources may be asked again
   * (`waitForSources`), `limit:NAME,NAME` until a worker fetches it that has a part of the limits of one of them
   * (`waitForLimits`), `later:NAME` for a time that the source asked for, null for nothing.
   */
  waitsFor: string | null;
};

/** The key of jobs that wait until one of some sources may be asked again. */
export const waitForSources = (names: string[]) => `source:${names.join()}`;

/** The key of jobs that only workers fetch who may come to ask one of some sources, as far as the limits are concerned. */
export const waitForLimits = (names: string[]) => `limit:${names.join()}`;

/** The sources that a job waits for; none where it waits for something else. */
export function sourcesWaitedFor(waitsFor: string | null): string[] {
  return waitsFor?.startsWith('source:') ? waitsFor.slice('source:'.length).split(',') : [];
}

/** The same in SQL, of a job's key. */
const names = "string_to_array(split_part(singleton_key, ':', 2), ',')";
const isWaiting = "state < 'active' AND singleton_key IS NOT NULL";
const waits = `${isWaiting} AND starts_with(singleton_key, 'source:')`;
const waitsForLimit = `${isWaiting} AND starts_with(singleton_key, 'limit:')`;
const waitsForEither = `${isWaiting} AND NOT starts_with(singleton_key, 'later:')`;

const insert = statement({
  text: `INSERT INTO pgboss.job (name, data, priority, group_id, singleton_key, start_after, keep_until, expire_seconds,
                             deletion_seconds, retry_limit, retry_delay, retry_backoff, policy, heartbeat_seconds,
                             blocked)
     SELECT q.name, jsonb_build_object('ticketId', $2::bigint, 'lo', $3::integer, 'hi', $4::integer), $5::integer,
            $2::bigint::text, $6,
            CASE WHEN $7::float8 > 0 THEN clock_timestamp() + $7::float8 * interval '1 millisecond' ELSE 'epoch' END,
            clock_timestamp() + $7::float8 * interval '1 millisecond' + q.retention_seconds * interval '1 second', q.expire_seconds,
            q.deletion_seconds, q.retry_limit, q.retry_delay, q.retry_backoff, q.policy, q.heartbeat_seconds, $8
     FROM pgboss.queue q WHERE q.name = $1`,
});

/** A job that waits for longer than this for nothing but its source is out of the fetches' sight until it is released. */
const longMs = 60_000;

/** Puts the rest of a block back into the queue. How long it waits there is counted by the database's clock. */
export async function insertFollowUpJob(
  tx: Queryable,
  { ticketId, lo, hi }: LookupJob,
  { at, waitsFor }: FollowUp,
): Promise<void> {
  const waitMs = Math.max(0, at - steadyNow());
  const blocked = waitMs > longMs && /^(source|limit):/.test(waitsFor ?? '');
  const priority = -Math.floor(lo / blockSize);
  await insert.run(tx, [lookupQueue, ticketId, lo, hi, priority, waitsFor, waitMs, blocked]);
}

const release = statement({
  text: `UPDATE pgboss.job SET start_after = 'epoch', singleton_key = NULL, blocked = false
     WHERE name = $1 AND ${waits} AND $2 = ANY(${names})`,
});

/** Makes the jobs due that wait for a source, whatever else they wait for. */
export async function releaseJobs(tx: Queryable, source: string): Promise<void> {
  await release.run(tx, [lookupQueue, source]);
}

const releaseStranded = statement({
  text: `UPDATE pgboss.job SET start_after = 'epoch', singleton_key = NULL, blocked = false
     WHERE name = $1 AND ${waitsForEither} AND EXISTS (
       SELECT FROM unnest(${names}) AS w(name)
       LEFT JOIN sources AS s ON s.name = w.name AND s.name = ANY($2)
       WHERE s.name IS NULL OR (starts_with(singleton_key, 'source:') AND s.state = 'up' AND NOT s.paused))`,
});

/**
 * Makes the jobs due that wait for a source which may be asked again, or which is no longer configured.
 * @param sources the names of the sources that are enabled
 */
export async function releaseStrandedJobs(tx: Queryable, sources: string[]): Promise<void> {
  await releaseStranded.run(tx, [lookupQueue, sources]);
}

/** As a fetch from the queue does it. */
const fetchChosen = (chosen: string) => `WITH chosen AS MATERIALIZED (${chosen} FOR UPDATE SKIP LOCKED)
     UPDATE pgboss.job AS j SET
       state = 'active', started_on = now(), heartbeat_on = now(), singleton_key = NULL, blocked = false,
       retry_count = CASE WHEN started_on IS NULL THEN retry_count ELSE retry_count + 1 END
     FROM chosen AS c WHERE j.name = $1 AND j.id = c.id
     RETURNING j.id, j.retry_count AS "retryCount", j.data`;
const fetched = { id: uuid, retryCount: int4, data: notNull(jsonb<LookupJob>()) };
type WaitingJob = RowOf<typeof fetched>;

const fetchWaiting = statement({
  text: fetchChosen(`SELECT id FROM pgboss.job WHERE name = $1 AND ${waitsForEither} AND $2 = ANY(${names})
       ORDER BY created_on LIMIT 1`),
  row: fetched,
});

/** Fetches the job that has waited longest for a source or its limits, although it is not due. */
export function fetchWaitingJob(db: Queryable, source: string): Promise<WaitingJob | undefined> {
  return fetchWaiting.first(db, [lookupQueue, source]);
}

const fetchForLimit = statement({
  text: fetchChosen(`SELECT id FROM pgboss.job WHERE name = $1 AND ${waitsForLimit} AND $2 = ANY(${names})
         AND group_id <> ALL($3)
       ORDER BY priority DESC, created_on LIMIT $4`),
  row: fetched,
});

/** Fetches jobs that wait for who may come to ask a source, in the queue's order. */
export function fetchJobsForLimit(
  db: Queryable,
  source: string,
  { count, withoutTickets }: { count: number; withoutTickets: string[] },
): Promise<WaitingJob[]> {
  return fetchForLimit.all(db, [lookupQueue, source, withoutTickets, count]);
}
