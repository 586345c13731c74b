import { array, enumeration, int4, int8, jsonb, type RowOf, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import { steadyNow } from '#server/runtime/steady-clock.ts';
import type { PositionRange } from '../rows/batch.ts';
import type { LookupState } from '../rows/lookup-state.ts';
import type { RowResult } from '../rows/row-result.ts';
import { lastPlace } from './finished-rows.queries.ts';

const ticketStatus = enumeration('ticket_status', ['Pending', 'Processing', 'Completed', 'Cancelled']);

/** Locks the running ones of some tickets, in the order of their ids, so that two workers do not deadlock. */
export const lockTickets = statement({
  name: 'lock-tickets',
  text: `SELECT id, status FROM tickets WHERE id = ANY(:ids) AND status IN ('Pending', 'Processing')
     ORDER BY id FOR NO KEY UPDATE`,
  params: { ids: array(int8) },
  row: { id: int8, status: ticketStatus },
});

const write = statement({
  name: 'write-results',
  text: `WITH written AS (
       UPDATE serials AS s SET
         state = v.state, reason = v.reason, details = v.details, type = v.type,
         activation_status = v.activation_status, purchase_date = v.purchase_date, warranty_title = v.warranty_title,
         coverage_start_date = v.coverage_start_date, coverage_end_date = v.coverage_end_date,
         fetched_at = least(to_timestamp(v."fetchedAt" / 1000), now()), source = v.source, attempts = v.attempts, egress = v.egress,
         cached = v.cached, lookup = NULL
       FROM jsonb_to_recordset(:rows) AS v(
         position integer, state serial_state, reason text, details text, type text, activation_status activation,
         purchase_date date, warranty_title text, coverage_start_date date, coverage_end_date date,
         "fetchedAt" float8, source text, attempts smallint, egress text, cached boolean)
       WHERE s.ticket_id = :ticketId AND s.position BETWEEN :lo AND :hi AND s.position = v.position AND s.state = 'pending'
       RETURNING s.position, s.state, s.reason, s.activation_status),
     note AS (
       INSERT INTO unregistered_results (ticket_id, ticket_number, company_code, positions)
       SELECT t.id, t.ticket_number, t.company_code, d.positions
       FROM tickets t, (SELECT array_agg(position) AS positions FROM written WHERE state = 'done') AS d
       WHERE t.id = :ticketId AND d.positions IS NOT NULL),
     places AS (
       INSERT INTO finished_rows (ticket_id, last_place, positions)
       SELECT :ticketId, ${lastPlace} + cardinality(f.positions), f.positions
       FROM (SELECT array_agg(position ORDER BY position) AS positions FROM written) AS f
       WHERE f.positions IS NOT NULL)
     SELECT count(*) FILTER (WHERE state = 'done') AS done,
            count(*) FILTER (WHERE state = 'failed') AS failed,
            count(*) FILTER (WHERE reason = 'Source unavailable') AS unavailable,
            count(*) FILTER (WHERE activation_status = 'activated') AS activated,
            count(*) FILTER (WHERE activation_status = 'unactivated') AS unactivated
     FROM written`,
  params: { ticketId: int8, lo: int4, hi: int4, rows: jsonb<object[]>() },
  row: { done: int8, failed: int8, unavailable: int8, activated: int8, unactivated: int8 },
});

/** The numbers of rows that got a result, as the ticket counts them. */
type Counts = RowOf<typeof write.row>;

export const noCounts: Counts = { done: 0, failed: 0, unavailable: 0, activated: 0, unactivated: 0 };

/**
 * Writes the results of at most 1,000 pending rows of a locked ticket. Counts those rows, gives them the next places in
 * the ticket's order of finishing, and notes them for the register of devices.
 */
export function updateResults(tx: Queryable, range: PositionRange, results: RowResult[]): Promise<Counts> {
  const rows = results.map(({ coverage, ...result }) => ({ ...coverage, ...result }));
  return write.one(tx, { ...range, rows });
}

const writeStates = statement({
  text: `UPDATE serials AS s SET attempts = v.attempts, lookup = CASE WHEN v.wait IS NULL THEN v.lookup ELSE
       v.lookup || jsonb_build_object('due', round(extract(epoch FROM clock_timestamp())::float8 * 1000 + v.wait), 'wait', v.wait) END
     FROM jsonb_to_recordset(:rows) AS v(position integer, attempts smallint, lookup jsonb, wait float8)
     WHERE s.ticket_id = :ticketId AND s.position BETWEEN :lo AND :hi AND s.position = v.position AND s.state = 'pending'`,
  params: { ticketId: int8, lo: int4, hi: int4, rows: jsonb<object[]>() },
});

export async function updateLookupStates(
  tx: Queryable,
  range: PositionRange,
  lookupStates: Map<number, LookupState>,
): Promise<void> {
  const now = steadyNow();
  const rows = [...lookupStates].map(([position, lookup]) => {
    const wait = lookup.due === null ? null : lookup.due - now;
    return { position, attempts: lookup.tries, lookup, wait };
  });
  await writeStates.run(tx, { ...range, rows });
}

/**
 * Adds finished rows to the counters of a locked ticket and of the current minute, and sets the ticket's status. Clears
 * the ticket's waiting mark if rows were finished. Returns the ticket's new status and counts.
 */
export const updateTicket = statement({
  name: 'add-ticket-counts',
  text: `WITH minute AS (
       INSERT INTO ticket_minutes (ticket_id, minute, finished)
       SELECT :id, date_trunc('minute', now()), :done::integer + :failed::integer WHERE :done + :failed > 0
       ON CONFLICT (ticket_id, minute) DO UPDATE SET finished = ticket_minutes.finished + excluded.finished)
     UPDATE tickets SET
       done = done + :done, failed = failed + :failed, activated = activated + :activated, unactivated = unactivated + :unactivated,
       unavailable = unavailable + :unavailable,
       status = CASE WHEN done + failed + :done + :failed >= total THEN 'Completed' ELSE 'Processing' END::ticket_status,
       started_at = coalesce(started_at, now()),
       finished_at = CASE WHEN done + failed + :done + :failed >= total THEN now() END,
       waiting_for = CASE WHEN :done + :failed = 0 THEN waiting_for END,
       waiting_source = CASE WHEN :done + :failed = 0 THEN waiting_source END,
       waiting_since = CASE WHEN :done + :failed = 0 THEN waiting_since END
     WHERE id = :id
     RETURNING status, ticket_number, company_code, total, done, failed, activated, unactivated`,
  params: { id: int8, done: int4, failed: int4, activated: int4, unactivated: int4, unavailable: int4 },
  row: {
    status: ticketStatus,
    ticket_number: int8,
    company_code: text,
    total: int4,
    done: int4,
    failed: int4,
    activated: int4,
    unactivated: int4,
  },
});
