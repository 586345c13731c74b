import { usableAnswer } from '#features/devices/server/known-devices.service.ts';
import { array, int4, int8, text } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/** Rows per note: the register takes them in one transaction. */
const rowsPerNote = 1000;

// `least` keeps the interval in range; no answer is older. The notes get their ticket's number from `numberNotes`.
/**
 * Answers the pending rows from position `lo` to `hi`, both included, from the company's register, and notes them for
 * registration.
 * @param days the age from which an answer is too old
 */
export const answerKnownRowsBetween = statement({
  name: 'answer-known-rows',
  text: `WITH known AS (
       UPDATE serials AS s SET
         state = 'done', type = d.type, activation_status = d.activation_status, purchase_date = d.purchase_date,
         warranty_title = d.warranty_title, coverage_start_date = d.coverage_start_date,
         coverage_end_date = d.coverage_end_date, fetched_at = d.last_checked, source = d.source, cached = true
       FROM devices AS d
       WHERE s.ticket_id = :ticketId AND s.position BETWEEN :lo AND :hi AND s.state = 'pending'
         AND d.company_code = :companyCode AND d.serial = s.serial COLLATE "C"
         AND d.last_checked > now() - make_interval(days => least(:days::integer, 100000))
         AND ${usableAnswer('d')}
       RETURNING s.position, s.activation_status),
     notes AS (
       INSERT INTO unregistered_results (ticket_id, ticket_number, company_code, positions)
       SELECT :ticketId, 0, :companyCode, array_agg(position) FROM known GROUP BY position / ${rowsPerNote} ORDER BY 4)
     SELECT count(*) AS done, count(*) FILTER (WHERE activation_status = 'activated') AS activated,
       count(*) FILTER (WHERE activation_status = 'unactivated') AS unactivated,
       coalesce(array_agg(position ORDER BY position), '{}') AS positions
     FROM known`,
  params: { ticketId: int8, lo: int4, hi: int4, companyCode: text, days: int4 },
  row: {
    done: int8,
    activated: int8,
    unactivated: int8,
    positions: array(int4),
  },
});

/** Gives the notes of known rows for the register the number of their ticket, once it is stored. */
export const numberNotes = statement({
  text: 'UPDATE unregistered_results SET ticket_number = :ticketNumber WHERE ticket_id = :ticketId',
  params: { ticketId: int8, ticketNumber: int8 },
});
