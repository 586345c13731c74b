import { int4Array, int8, type RowOf } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

// Answers of the sandbox are invented, so they end with the first real source. Every answer is younger than 100,000 days.
const answer = statement({
  name: 'answer-known-rows',
  text: `WITH known AS (
       UPDATE serials AS s SET
         state = 'done', type = d.type, activation_status = d.activation_status, purchase_date = d.purchase_date,
         warranty_title = d.warranty_title, coverage_start_date = d.coverage_start_date,
         coverage_end_date = d.coverage_end_date, fetched_at = d.last_checked, source = d.source, cached = true
       FROM devices AS d
       WHERE s.ticket_id = $1 AND s.position BETWEEN $2 AND $3 AND s.state = 'pending'
         AND d.company_code = $4 AND d.serial = s.serial COLLATE "C"
         AND d.last_checked > now() - make_interval(days => least($5::integer, 100000))
         AND (d.source IS DISTINCT FROM 'sandbox' OR NOT EXISTS (SELECT FROM real_sources))
       RETURNING s.position, s.activation_status)
     SELECT count(*) AS done, count(*) FILTER (WHERE activation_status = 'activated') AS activated,
       count(*) FILTER (WHERE activation_status = 'unactivated') AS unactivated,
       coalesce(array_agg(position ORDER BY position), '{}') AS positions
     FROM known`,
  row: { done: int8, activated: int8, unactivated: int8, positions: int4Array },
});

/** The rows that were answered from the register: their numbers and positions. */
export type KnownRows = RowOf<typeof answer.row>;

/**
 * Answers the pending rows from position `lo` to `hi`, both included, from the company's register.
 * @param days the age from which an answer is too old
 */
export function answerKnownRowsBetween(
  tx: Queryable,
  { ticketId, lo, hi }: { ticketId: number; lo: number; hi: number },
  { companyCode, days }: { companyCode: string; days: number },
): Promise<KnownRows> {
  return answer.one(tx, [ticketId, lo, hi, companyCode, days]);
}

/** Rows per note: the register takes them in one transaction. */
const rowsPerNote = 1000;

const note = statement({
  text: `WITH known AS MATERIALIZED (
       SELECT position, coverage_end_date FROM serials WHERE ticket_id = $1 AND state = 'done'),
     days AS (
       INSERT INTO ticket_end_days (ticket_id, day, devices)
       SELECT $1, coverage_end_date, count(*) FROM known WHERE coverage_end_date IS NOT NULL GROUP BY 2)
     INSERT INTO unregistered_results (ticket_id, ticket_number, company_code, positions)
     SELECT t.id, t.ticket_number, t.company_code, array_agg(k.position)
     FROM known AS k JOIN tickets AS t ON t.id = $1
     GROUP BY t.id, k.position / ${rowsPerNote}`,
});

/** Notes the known rows of a new ticket for the register of devices, and adds their end dates to its end days. */
export async function noteKnownRows(tx: Queryable, ticketId: number): Promise<void> {
  await note.run(tx, [ticketId]);
}
