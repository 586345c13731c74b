import { bool, jsonb } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/** A ticket with a job that is due within this many seconds, or that is ready only for so long, does not count as waiting. */
const soonSeconds = 3;

/** Takes the lock of the marks until the transaction ends, if it is free. */
export const lockMarks = statement({
  name: 'lock-marks',
  text: "SELECT pg_try_advisory_xact_lock(hashtext('waiting tickets')) AS is_locked",
  row: { is_locked: bool },
});

/**
 * Marks the waiting tickets with their reason, and clears the mark of the others. The time of a mark is that since which the
 * ticket waits for anything. It outlives the mark until a row is finished, because a worker may only look at a job. A Pending
 * ticket stays Pending while its source is paused by hand or disabled, or while others have their turn, and is Processing once
 * the source or its proxies fail. `sources` are all sources, the enabled ones first; `cause`: why it is not asked, or null.
 */
export const markWaitingTickets = statement({
  // A ticket without a held or ready job waits, unless one of its jobs may continue. One of them gives the reason. A job that
  // is held for a probe still has its sources, and counts as waiting.
  // A ticket whose ready jobs nobody holds waits for its turn, also if they waited for a source that is up again. So does a
  // Pending one, until a row of it is asked about.
  // `lines` jumps in the index from each ticket, and the sources that its jobs wait for, to the next.
  text: `WITH RECURSIVE configured AS (
       SELECT * FROM jsonb_to_recordset(:sources) AS s(name text, label text, cause text)),
     lines AS (
       (SELECT ticket_id, sources FROM lookup_jobs ORDER BY ticket_id, sources LIMIT 1)
       UNION ALL
       SELECT n.* FROM lines AS l CROSS JOIN LATERAL (
         SELECT ticket_id, sources FROM lookup_jobs WHERE (ticket_id, sources) > (l.ticket_id, l.sources)
         ORDER BY ticket_id, sources LIMIT 1) AS n),
     queued AS (
       SELECT l.ticket_id, l.sources, first.due_at, coalesce(l.sources[1], first.delayed_by) AS source,
         l.sources && ARRAY(SELECT name FROM sources EXCEPT SELECT name FROM configured WHERE cause IS NOT NULL) AS is_up,
         (SELECT queued_at FROM lookup_jobs AS j WHERE j.ticket_id = l.ticket_id AND j.sources = l.sources
          AND due_at IS NULL ORDER BY due_at LIMIT 1) AS ready_at
       FROM lines AS l LEFT JOIN LATERAL (
         SELECT due_at, delayed_by FROM lookup_jobs AS j
         WHERE j.ticket_id = l.ticket_id AND j.sources = l.sources AND due_at IS NOT NULL ORDER BY due_at LIMIT 1) AS first ON true),
     moving AS (
       SELECT ticket_id FROM queued WHERE due_at < now() + interval '${soonSeconds} seconds' OR is_up),
     ready AS (
       SELECT ticket_id, min(ready_at) AS ready_at FROM queued WHERE is_up OR sources = '{}' GROUP BY ticket_id),
     reasons AS (SELECT DISTINCT ON (ticket_id) ticket_id, source FROM queued ORDER BY ticket_id, sources DESC),
     running AS (
       SELECT t.id, held.is_there AS is_held, ready.ready_at, r.source
       FROM tickets AS t
       LEFT JOIN reasons AS r ON r.ticket_id = t.id
       LEFT JOIN ready ON ready.ticket_id = t.id
       LEFT JOIN LATERAL (
         SELECT true AS is_there FROM lookup_jobs AS j WHERE j.ticket_id = t.id AND holder IS NOT NULL
           AND sources = '{}' AND t.status = 'Processing'
         -- In the order of an index, so that it alone is read.
         ORDER BY holder LIMIT 1) AS held ON true
       WHERE t.status IN ('Pending', 'Processing') AND t.total > 0),
     waiting AS (
       SELECT r.id, CASE WHEN s.cause = 'proxies' THEN 'proxies' ELSE 'source' END AS waiting_for,
              CASE WHEN s.cause IS DISTINCT FROM 'proxies' THEN s.label END AS waiting_source, s.cause AS waiting_cause
       FROM running AS r
       JOIN configured AS s
         ON s.name = coalesce(r.source, (SELECT name FROM configured WHERE cause IS NOT NULL LIMIT 1))
       WHERE NOT EXISTS (SELECT FROM configured WHERE cause IS NULL)
         OR (r.is_held IS NULL AND r.ready_at IS NULL AND r.source IS NOT NULL
           AND r.id NOT IN (SELECT ticket_id FROM moving))
       UNION ALL
       SELECT r.id, 'turn', NULL, 'turn' FROM running AS r
       WHERE r.is_held IS NULL AND r.ready_at < now() - interval '${soonSeconds} seconds'
         AND EXISTS (SELECT FROM configured WHERE cause IS NULL)),
     changed AS (
       SELECT t.id, w.waiting_for, w.waiting_source, w.waiting_cause
       FROM (SELECT id FROM tickets WHERE waiting_for IS NOT NULL UNION SELECT id FROM waiting) AS marked
       JOIN tickets AS t ON t.id = marked.id LEFT JOIN waiting AS w ON w.id = t.id
       WHERE (t.waiting_for, t.waiting_source, t.waiting_cause)
           IS DISTINCT FROM (w.waiting_for, w.waiting_source, w.waiting_cause)
       -- A ticket that is locked is being written to, so that it moves; the next round looks at it again.
       ORDER BY t.id FOR NO KEY UPDATE OF t SKIP LOCKED)
     UPDATE tickets AS t SET waiting_for = c.waiting_for, waiting_source = c.waiting_source,
       waiting_cause = c.waiting_cause,
       waiting_since = CASE WHEN c.waiting_for IS NULL THEN t.waiting_since ELSE coalesce(t.waiting_since, now()) END,
       status = CASE WHEN t.status = 'Pending' AND c.waiting_cause NOT IN ('paused', 'disabled', 'turn') THEN 'Processing' ELSE t.status END
     FROM changed AS c WHERE t.id = c.id`,
  params: { sources: jsonb<{ name: string; label: string; cause: string | null }[]>() },
});
