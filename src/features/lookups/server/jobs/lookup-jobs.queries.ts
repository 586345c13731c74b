import {
  array,
  int4,
  int8,
  json,
  jsonb,
  notNull,
  type RowOf,
  timestamptz,
  uuid,
} from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/** The channel that announces new jobs, with the ticket's id. */
export const lookupsChannel = 'lookups';

/** Positions per job: block b holds positions b × 200 to b × 200 + 199. */
export const blockSize = 200;

/** How long a worker is gone before its jobs are freed. Until then, it may come back and go on. */
export const goneSeconds = 5;

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

/** Deletes every job of a ticket. A worker that holds one drops it at its next check. */
export const deleteJobsOfTicket = statement({
  // Locks in the order of ids, as the end of jobs does, to avoid deadlocks.
  text: `DELETE FROM lookup_jobs WHERE id = ANY(ARRAY(
       SELECT id FROM lookup_jobs WHERE ticket_id = :ticketId ORDER BY id FOR UPDATE))`,
  params: { ticketId: int8 },
});

/** A job as one worker holds it. Each fetch of it raises `holds`. */
export type HeldJob = { id: string; holds: number };

/** Lists those of some jobs that their worker no longer holds: they were ended, deleted, or freed. */
export const listLostJobs = statement({
  name: 'list-lost-jobs',
  text: `SELECT known.* FROM jsonb_to_recordset(:jobs) AS known(id uuid, holds integer)
     WHERE NOT EXISTS (
       SELECT FROM lookup_jobs AS j WHERE j.id = known.id AND j.holds = known.holds AND j.holder IS NOT NULL)`,
  params: { jobs: jsonb<HeldJob[]>() },
  row: { id: notNull(uuid), holds: notNull(int4) },
});

/** SQL: sets the columns of a job that nobody holds any more and that waits for nothing. */
export const resetToReady = "due_at = NULL, delayed_by = NULL, sources = '{}', queued_at = now()";

/**
 * Makes the jobs ready whose time has come, those of gone workers, and those that this worker holds without knowing: it has
 * lost the response of their fetch, or could not load them.
 * @returns the time of the database's clock
 */
export const makeDueJobsReady = statement({
  name: 'make-due-jobs-ready',
  // SKIP LOCKED, because a locked job is being ended or given back.
  text: `WITH freed AS (UPDATE lookup_jobs SET holder = NULL, ${resetToReady} WHERE id = ANY(
       ARRAY(SELECT id FROM lookup_jobs WHERE due_at <= now() AND holder IS NULL FOR UPDATE SKIP LOCKED)
       || ARRAY(SELECT id FROM lookup_jobs WHERE holder IS NOT NULL AND CASE
           WHEN holder = :worker THEN id <> ALL(:known)
           ELSE holder NOT IN (
             SELECT id FROM workers WHERE gone_at IS NULL OR gone_at > now() - interval '${goneSeconds} seconds') END
         FOR UPDATE SKIP LOCKED)))
     SELECT now() AS at`,
  params: { worker: uuid, known: array(uuid) },
  row: { at: timestamptz },
});

/**
 * Makes the jobs ready that wait for sources. Run at the start, because with other sources their rows may go on; otherwise
 * they wait again.
 */
export const makeParkedJobsReady = statement({
  text: `UPDATE lookup_jobs SET ${resetToReady} WHERE id = ANY(ARRAY(
       SELECT id FROM lookup_jobs WHERE sources <> '{}' AND holder IS NULL FOR UPDATE SKIP LOCKED))`,
});

/** Counts the jobs that may be fetched, are held, or wait; and the age of the oldest of the first. */
export const countQueue = statement({
  text: `SELECT count(*) FILTER (WHERE holder IS NULL AND due_at IS NULL AND sources = '{}')::integer AS ready,
            count(*) FILTER (WHERE holder IS NOT NULL)::integer AS active,
            count(*) FILTER (WHERE holder IS NULL AND (due_at IS NOT NULL OR sources <> '{}'))::integer AS waiting,
            coalesce(extract(epoch FROM now() - min(queued_at) FILTER (
              WHERE holder IS NULL AND due_at IS NULL AND sources = '{}')), 0)::integer AS oldest_seconds
     FROM lookup_jobs`,
  row: { ready: int4, active: int4, waiting: int4, oldest_seconds: int4 },
});
