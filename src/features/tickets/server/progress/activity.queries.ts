import { int4, int8, notNull, nullable, text, timestamptz } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';
import { ticketRow } from '../tickets.queries.ts';

const { ticket_number, file_name, import_kind, total, created_at } = ticketRow;
const { waiting_for, waiting_source, waiting_cause, waiting_since } = ticketRow;

/** The sum of a number over the rows of a table in the scope. */
const sumOf = (value: string, table: string, condition = 'true') =>
  `(SELECT coalesce(sum(${value}), 0) FROM ${table} AS t
         WHERE (:scope::text IS NULL OR company_code = :scope) AND ${condition})`;
const hash = 'hash_record_extended(t, 0)';

// Only running tickets are read, because every open app polls this every few seconds. A transaction that changes an ended
// ticket or its invoice is noted (ended_ticket_changes). Transaction numbers can repeat after a failover or restore, the server's start
// time does not.
/**
 * Sums up the Pending and Processing tickets with rows in the scope: their number, rows without a result, the oldest, and the
 * percent finished. The values that name a ticket are those of a single running one. If all tickets wait, the cause is that of
 * the oldest. `revision` differs after any change of a ticket, its invoice or a client in the scope, and on another
 * day; `register_revision` after any change of the register, of own columns, of a view that the user sees or of a
 * schedule of rechecks in the scope, and when a scheduled run makes no ticket. Both differ after a restart of the
 * database server. `fields_revision` differs after a change of own columns or of their values.
 * @param today YYYY-MM-DD in APP_TIMEZONE
 */
export const sumRunningTickets = statement({
  name: 'sum-running-tickets',
  text: `WITH running AS (
       SELECT * FROM tickets
       WHERE status IN ('Pending', 'Processing') AND total > 0 AND (:scope::text IS NULL OR company_code = :scope)
     ), oldest AS (
       SELECT waiting_for, waiting_source, waiting_cause, waiting_since FROM running
       WHERE NOT EXISTS (SELECT FROM running WHERE waiting_for IS NULL)
       ORDER BY ticket_number LIMIT 1
     )
     SELECT s.*, oldest.*, now() AS as_of,
       hashtextextended(concat_ws(' ', pg_postmaster_start_time(), :today::text, (SELECT sum(${hash}) FROM running AS t),
         ${sumOf(hash, 'ended_ticket_changes')}, ${sumOf(hash, 'clients')}), 0)::text AS revision,
       hashtextextended(concat_ws(' ', pg_postmaster_start_time(),
         ${sumOf('deletions + registrations + value_changes', 'device_deletions')}, ${sumOf(hash, 'device_views', '(shared OR owner_id = :userId)')},
         ${sumOf(hash, 'rechecks')}, ${sumOf('1', 'recheck_runs', 'refusal IS NOT NULL')}), 0)::text AS register_revision,
       ${sumOf('value_changes', 'device_deletions')}::text AS fields_revision
     FROM (SELECT count(*)::int AS running, coalesce(sum(total - done - failed), 0) AS remaining,
             min(ticket_number) AS ticket_number, min(file_name) AS file_name, min(import_kind) AS import_kind,
             min(total) AS total, min(created_at) AS created_at,
             CASE WHEN count(*) > 0 THEN least(99, sum(done + failed) * 100 / sum(total))::int END AS percent
           FROM running) s
     LEFT JOIN oldest ON true`,
  params: { scope: nullable(text), userId: int8, today: text },
  row: {
    running: int4,
    remaining: int8,
    ticket_number: nullable(ticket_number),
    ...{ file_name, import_kind, total: nullable(total), created_at: nullable(created_at) },
    percent: nullable(int4),
    waiting_for,
    waiting_source,
    waiting_cause,
    waiting_since,
    revision: text,
    register_revision: text,
    fields_revision: text,
    as_of: timestamptz,
  },
});

/**
 * Lists the tickets in the scope completed last, from one minute before `since` on. A ticket gets its end time within a
 * transaction, so it may become visible later than that time.
 */
export const listCompletedSince = statement({
  name: 'list-completed-since',
  text: `SELECT ticket_number, file_name, import_kind, total, created_at, finished_at FROM tickets
     WHERE status = 'Completed' AND finished_at > coalesce(:since::timestamptz, now()) - interval '1 minute'
       AND (:scope::text IS NULL OR company_code = :scope)
     ORDER BY finished_at DESC LIMIT :limit`,
  params: { scope: nullable(text), since: nullable(timestamptz), limit: int8 },
  row: {
    ...{ ticket_number, file_name, import_kind, total, created_at },
    finished_at: notNull(timestamptz),
  },
});
