import {
  int4,
  int8,
  json,
  jsonb,
  notNull,
  nullable,
  type RowOf,
  timestamptz,
  uuid,
} from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

/** The channel that announces new jobs, with the ticket's id. */
export const lookupsChannel = 'lookups';

/** Positions per job: block b holds positions b × 200 to b × 200 + 199. */
export const blockSize = 200;

/** How long a worker holds a job without extending it. */
export const holdSeconds = 10;

const pendingBlock = { lo: notNull(int4), hi: notNull(int4) };

/** The first and last pending position of a block. */
export type PendingBlock = RowOf<typeof pendingBlock>;

/** Lists the blocks of a ticket that have a pending row. Reads all rows of the ticket. */
export const listPendingBlocks = statement({
  text: `SELECT min(position) AS lo, max(position) AS hi FROM serials WHERE ticket_id = :ticketId AND state = 'pending'
     GROUP BY position / ${blockSize}`,
  params: { ticketId: int8 },
  row: pendingBlock,
});

/** Adds a job for each of some blocks of a ticket. */
export const insertJobs = statement({
  text: `INSERT INTO lookup_jobs (company_code, ticket_id, lo, hi, is_recheck)
     SELECT company_code, id, lo, hi, import_kind IS NOT DISTINCT FROM 'recheck'
     FROM tickets CROSS JOIN json_to_recordset(:blocks::json) AS b(lo integer, hi integer)
     WHERE id = :ticketId`,
  params: { ticketId: int8, blocks: json<PendingBlock[]>() },
});

/** Deletes every job of a ticket. A worker that holds one drops it when it would extend it. */
export const deleteJobsOfTicket = statement({
  // Locks in the order of ids, as the end of jobs does, to avoid deadlocks.
  text: `DELETE FROM lookup_jobs WHERE id = ANY(ARRAY(
       SELECT id FROM lookup_jobs WHERE ticket_id = :ticketId ORDER BY id FOR UPDATE))`,
  params: { ticketId: int8 },
});

const extend = statement({
  // Skips locked jobs. The transaction that ends or deletes them may itself wait for the ticket, so do not wait for it.
  text: `WITH held AS (
       SELECT j.id, j.holds FROM lookup_jobs AS j
       JOIN jsonb_to_recordset(:jobs) AS h(id uuid, holds integer) ON h.id = j.id AND h.holds = j.holds
       WHERE j.held_until IS NOT NULL),
     extended AS (
       UPDATE lookup_jobs SET held_until = now() + interval '${holdSeconds} seconds' WHERE id = ANY(ARRAY(
         SELECT j.id FROM lookup_jobs AS j JOIN held AS h ON h.id = j.id AND h.holds = j.holds
         WHERE j.held_until IS NOT NULL FOR UPDATE OF j SKIP LOCKED)))
     SELECT id, holds FROM held`,
  params: { jobs: jsonb<object[]>() },
  row: { id: uuid, holds: int4 },
});

/** A job as one worker holds it. Each fetch of it raises `holds`. */
export type HeldJob = { id: string; holds: number };

/**
 * Extends the jobs that a worker holds.
 * @returns the jobs that it no longer holds: they were ended, deleted, or fetched by another worker
 */
export async function extendJobs(db: Queryable, jobs: HeldJob[]): Promise<Set<HeldJob>> {
  const rows = await extend.all(db, { jobs });
  const currentHolds = new Map(rows.map(({ id, holds }) => [id, holds]));
  return new Set(jobs.filter(({ id, holds }) => currentHolds.get(id) !== holds));
}

/** SQL: sets the columns of a job that nobody holds any more and that waits for nothing. */
export const resetToReady = "due_at = NULL, delayed_by = NULL, sources = '{}', queued_at = now()";

/**
 * Makes the jobs ready whose time has come, and those of gone workers; the latter only before `freesUntil`, without a bound
 * if that is null.
 * @returns the time of the database's clock
 */
export const makeDueJobsReady = statement({
  name: 'make-due-jobs-ready',
  // SKIP LOCKED, because a locked job is being ended or extended.
  text: `WITH freed AS (UPDATE lookup_jobs SET held_until = NULL, ${resetToReady} WHERE id = ANY(ARRAY(
       SELECT id FROM lookup_jobs WHERE (due_at <= now() AND held_until IS NULL)
         OR (held_until < now() AND now() < coalesce(:freesUntil::timestamptz, 'infinity'))
       FOR UPDATE SKIP LOCKED)))
     SELECT now() AS at`,
  params: { freesUntil: nullable(timestamptz) },
  row: { at: timestamptz },
});

/**
 * Makes the jobs ready that wait for sources. Run at the start, because with other sources their rows may go on; otherwise
 * they wait again.
 */
export const makeParkedJobsReady = statement({
  text: `UPDATE lookup_jobs SET ${resetToReady} WHERE id = ANY(ARRAY(
       SELECT id FROM lookup_jobs WHERE sources <> '{}' AND held_until IS NULL FOR UPDATE SKIP LOCKED))`,
});

/** Counts the jobs that may be fetched, are held, or wait; and the age of the oldest of the first. */
export const countQueue = statement({
  text: `SELECT count(*) FILTER (WHERE held_until IS NULL AND due_at IS NULL AND sources = '{}')::integer AS ready,
            count(*) FILTER (WHERE held_until IS NOT NULL)::integer AS active,
            count(*) FILTER (WHERE held_until IS NULL AND (due_at IS NOT NULL OR sources <> '{}'))::integer AS waiting,
            coalesce(extract(epoch FROM now() - min(queued_at) FILTER (
              WHERE held_until IS NULL AND due_at IS NULL AND sources = '{}')), 0)::integer AS oldest_seconds
     FROM lookup_jobs`,
  row: { ready: int4, active: int4, waiting: int4, oldest_seconds: int4 },
});
