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
    "DELETE FROM pgboss.job WHERE name = $1 AND group_id = $2::bigint::text AND state <= 'active'",
    [lookupQueue, ticketId],
  );
}
