import { int4, jsonb, notNull, uuid } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import { steadyNow } from '#server/runtime/steady-clock.ts';
import { type FetchedJob, insertJobs, type LookupJob } from './lookup-jobs.queries.ts';

/** The conditions under which the unfinished rows of an ended batch may continue. Any of them suffices. */
export type FollowUp = {
  /** When the first delayed row is due (`steadyNow`); null if no row is delayed. */
  dueAt: number | null;
  /** The source that delayed the row, shown as the reason why the ticket waits. */
  delayedBy: string | null;
  /** The sources that the other rows wait for. */
  sources: string[];
};

const insert = statement({
  text: `INSERT INTO waiting_jobs (ticket_id, lo, hi, due_at, delayed_by, sources)
     SELECT "ticketId", lo, hi,
            CASE WHEN "waitMs" <= 0 THEN '-infinity'
                 ELSE clock_timestamp() + "waitMs" * interval '1 millisecond' END,
            "delayedBy", sources
     FROM jsonb_to_recordset($1) AS j("ticketId" bigint, lo integer, hi integer, "waitMs" float8, "delayedBy" text, sources text[])`,
});

/** Inserts waiting jobs. Their waits count by the database's clock. */
export async function insertWaitingJobs(tx: Queryable, jobs: (LookupJob & FollowUp)[]): Promise<void> {
  const now = steadyNow();
  const rows = jobs.map(({ ticketId, lo, hi, dueAt, delayedBy, sources }) => {
    const waitMs = dueAt === null ? null : dueAt - now;
    return { ticketId, lo, hi, waitMs, delayedBy, sources };
  });
  await insert.run(tx, [JSON.stringify(rows)]);
}

/** Returns the statement that turns waiting jobs into active jobs of the queue, as a fetch does. */
const fetchChosen = (chosen: string) => `WITH chosen AS MATERIALIZED (
       SELECT id FROM waiting_jobs WHERE ${chosen} FOR UPDATE SKIP LOCKED),
     fetched AS (
       DELETE FROM waiting_jobs AS w USING chosen AS c WHERE w.id = c.id RETURNING w.ticket_id, w.lo, w.hi)
     ${insertJobs('fetched', 'active')} RETURNING id, retry_count AS "retryCount", data`;
const fetched = { id: uuid, retryCount: int4, data: notNull(jsonb<LookupJob>()) };

// Not a prepared statement, because a plan made for few waiting jobs would be kept for many.
const fetchReady = statement({
  text: fetchChosen(`(due_at <= now() OR sources && ARRAY(
         SELECT name FROM sources WHERE name = ANY($2) AND state = 'up' AND NOT paused))
       AND ticket_id <> ALL($3) ORDER BY lo, id LIMIT $1`),
  row: fetched,
});

/** Fetches the waiting jobs of the lowest blocks that are due, or that wait for one of the wanted sources. */
export function fetchWaitingJobs(
  db: Queryable,
  which: { count: number; wanted: string[]; withoutTickets: string[] },
): Promise<FetchedJob[]> {
  const { count, wanted, withoutTickets } = which;
  return fetchReady.all(db, [count, wanted, withoutTickets]);
}

/** Fetches the job that has waited longest for a blocked source, for a probe. */
export const fetchJobToProbe = statement({
  text: fetchChosen('sources @> ARRAY[$1::text] ORDER BY id LIMIT 1'),
  row: fetched,
}).firstWith<[source: string]>();

/**
 * Lets the jobs continue that wait for a source that is not enabled. Their rows may go on at another source, or wait again.
 * Run at the start, because all processes have the same sources.
 */
export const releaseWaitingForOthers = statement({
  // SKIP LOCKED, because a locked job is being fetched or deleted.
  text: `UPDATE waiting_jobs SET due_at = '-infinity' WHERE id = ANY(ARRAY(
       SELECT id FROM waiting_jobs WHERE NOT sources <@ $1 FOR UPDATE SKIP LOCKED))`,
}).runWith<[enabled: string[]]>();
