import { bool } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import { lookupQueue } from './lookup-jobs.queries.ts';

/** A ticket with a job that is due within this many seconds does not count as waiting. */
const soonSeconds = 3;

/** Returns whether any ticket may wait or is marked as waiting. Only then are the marks updated. */
export const mayTicketsWait = statement({
  name: 'may-tickets-wait',
  text: `SELECT EXISTS (SELECT FROM waiting_jobs) OR EXISTS (SELECT FROM tickets WHERE waiting_for IS NOT NULL)
       OR EXISTS (SELECT FROM sources WHERE paused OR state <> 'up') AS may`,
  row: { may: bool },
}).valueWith();

// A ticket without a queued job waits, unless one of its waiting jobs may continue. One waiting job gives the reason.
const mark = statement({
  text: `WITH configured AS (
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) AS s(name, label, cause)),
     moving AS (
       SELECT ticket_id FROM waiting_jobs
       WHERE due_at < now() + interval '${soonSeconds} seconds' OR sources && ARRAY(
         SELECT name FROM sources EXCEPT SELECT name FROM configured WHERE cause IS NOT NULL)),
     waiting AS (
       SELECT t.id, CASE WHEN s.cause = 'proxies' THEN 'proxies' ELSE 'source' END AS waiting_for,
              CASE WHEN s.cause IS DISTINCT FROM 'proxies' THEN s.label END AS waiting_source, s.cause AS waiting_cause
       FROM tickets AS t
       LEFT JOIN LATERAL (
         SELECT coalesce(w.sources[1], w.delayed_by) AS source FROM waiting_jobs AS w
         WHERE w.ticket_id = t.id ORDER BY w.due_at LIMIT 1) AS first ON true
       -- In the order of an index, so that it alone is read.
       LEFT JOIN LATERAL (
         SELECT true AS is_there FROM pgboss.job AS j
         WHERE j.name = '${lookupQueue}' AND j.group_id = t.id::text AND j.state <= 'active' ORDER BY j.start_after LIMIT 1) AS queued ON true
       JOIN configured AS s
         ON s.name = coalesce(first.source, (SELECT name FROM configured WHERE cause IS NOT NULL LIMIT 1))
       WHERE t.status IN ('Pending', 'Processing') AND t.total > 0 AND (
         NOT EXISTS (SELECT FROM configured WHERE cause IS NULL)
         OR (queued.is_there IS NULL AND first.source IS NOT NULL
           AND t.id NOT IN (SELECT ticket_id FROM moving)))),
     changed AS (
       SELECT t.id, w.waiting_for, w.waiting_source, w.waiting_cause
       FROM (SELECT id FROM tickets WHERE waiting_for IS NOT NULL UNION SELECT id FROM waiting) AS marked
       JOIN tickets AS t ON t.id = marked.id LEFT JOIN waiting AS w ON w.id = t.id
       WHERE (t.waiting_for, t.waiting_source, t.waiting_cause)
           IS DISTINCT FROM (w.waiting_for, w.waiting_source, w.waiting_cause)
       -- A ticket that is locked is being written to, so that it moves; the next round looks at it again.
       ORDER BY t.id FOR NO KEY UPDATE OF t SKIP LOCKED)
     UPDATE tickets AS t SET waiting_for = c.waiting_for, waiting_source = c.waiting_source,
       waiting_cause = c.waiting_cause, waiting_since = CASE WHEN c.waiting_for IS NOT NULL THEN now() END,
       status = CASE WHEN t.status = 'Pending' AND c.waiting_cause NOT IN ('paused', 'disabled') THEN 'Processing' ELSE t.status END
     FROM changed AS c WHERE t.id = c.id`,
});

/**
 * Marks the waiting tickets with their reason, and clears the mark of the others. A Pending ticket stays Pending while its
 * source is paused by hand or disabled, and is Processing once the source or its proxies fail.
 * @param sources every source, the enabled ones first; `cause`: why it is not asked, or null
 */
export async function markWaitingTickets(
  tx: Queryable,
  sources: { name: string; label: string; cause: string | null }[],
): Promise<void> {
  await mark.run(tx, [
    sources.map(({ name }) => name),
    sources.map(({ label }) => label),
    sources.map(({ cause }) => cause),
  ]);
}
