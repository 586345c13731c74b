import { bool, int8, notNull, text, timestamptz } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';
import { countChange } from '../count-change.queries.ts';

/** The six fields of an answer about a device. */
const answerFields = [
  ...['type', 'activation_status', 'purchase_date'],
  ...['warranty_title', 'coverage_start_date', 'coverage_end_date'],
];
const fieldsOf = (alias: string) => answerFields.map((field) => `${alias}.${field}`).join(', ');
const fields = answerFields.join(', ');

/** Locks the registration until the end of the transaction. Results must be registered in the order of their notes. */
export const lockRegistration = statement({
  text: `SELECT pg_advisory_xact_lock(hashtext('registration of devices'))`,
});

/** @returns false while another transaction holds the lock */
export const tryLockRegistration = statement({
  text: `SELECT pg_try_advisory_xact_lock(hashtext('registration of devices')) AS locked`,
  row: { locked: bool },
});

/** Lists the oldest notes of results that are not registered yet. */
export const listUnregistered = statement({
  text: 'SELECT id FROM unregistered_results ORDER BY id LIMIT :limit',
  params: { limit: int8 },
  row: { id: int8 },
});

/** Lists the oldest notes of a ticket's results that are not registered yet. */
export const listUnregisteredOf = statement({
  text: 'SELECT id FROM unregistered_results WHERE ticket_id = :ticketId ORDER BY id LIMIT :most',
  params: { ticketId: int8, most: int8 },
  row: { id: int8 },
});

/** Lists the notes of a company's results that are not registered yet, oldest first. */
export const listUnregisteredIn = statement({
  text: 'SELECT id FROM unregistered_results WHERE company_code = :companyCode ORDER BY id',
  params: { companyCode: text },
  row: { id: int8 },
});

/**
 * Registers the results of a note, and deletes the note. Call it under the lock. A result older than the device's answer only adds its
 * ticket. A cached result has the time of its answer, so it does not count as a check. The company may be deleted by now.
 * The registration is counted for the company, so that open screens notice it.
 * The last part looks up new answers in the history before the statement. It does not join the inserted answers: without an
 * index, and with one row expected, PostgreSQL would compare each with each.
 * @returns the devices whose answer differs from the one before
 */
export const registerResults = statement({
  name: 'register-results',
  text: `WITH note AS (DELETE FROM unregistered_results WHERE id = :noteId RETURNING *),
     results AS (
       SELECT n.company_code, n.ticket_number, s.serial COLLATE "C" AS serial, s.fetched_at, s.source, ${fieldsOf('s')}
       FROM note n JOIN clients c USING (company_code) JOIN serials s ON s.ticket_id = n.ticket_id AND s.position = ANY (n.positions)
       WHERE s.state = 'done' FOR KEY SHARE OF c),
     registered AS (
       INSERT INTO devices AS d (company_code, serial, ${fields}, source, first_seen, last_checked, tickets)
       SELECT company_code, serial, ${fields}, source, fetched_at, fetched_at, ARRAY[ticket_number]
       FROM results ORDER BY serial
       ON CONFLICT (company_code, serial) DO UPDATE SET
         ${answerFields.map((field) => `${field} = excluded.${field}`).join(', ')},
         source = excluded.source, last_checked = excluded.last_checked,
         changed_at = CASE WHEN (${fieldsOf('d')}) IS DISTINCT FROM (${fieldsOf('excluded')})
           THEN excluded.last_checked ELSE d.changed_at END,
         tickets = CASE WHEN d.tickets @> excluded.tickets THEN d.tickets ELSE d.tickets || excluded.tickets END
       WHERE d.last_checked <= excluded.last_checked
       RETURNING d.*),
     older AS (
       UPDATE devices d SET tickets = d.tickets || r.ticket_number FROM results r
       WHERE d.company_code = r.company_code AND d.serial = r.serial AND d.last_checked > r.fetched_at
         AND NOT d.tickets @> ARRAY[r.ticket_number]),
     answers AS (
       INSERT INTO device_answers (device_id, at, ticket_number, source, ${fields})
       SELECT d.id, d.last_checked, n.ticket_number, d.source, ${fieldsOf('d')}
       FROM registered d CROSS JOIN note n
       WHERE d.last_checked IN (d.first_seen, d.changed_at)
       ON CONFLICT (device_id, at) DO NOTHING),
     counted AS (
       ${countChange('registrations', 'SELECT DISTINCT company_code, 1 FROM results')})
     SELECT d.company_code, d.id AS device_id, d.serial, n.ticket_number, d.changed_at
     FROM registered d CROSS JOIN note n
     WHERE d.changed_at = d.last_checked
       AND NOT EXISTS (SELECT FROM device_answers a WHERE a.device_id = d.id AND a.at = d.changed_at)
     ORDER BY d.id`,
  params: { noteId: int8 },
  row: {
    company_code: text,
    device_id: int8,
    serial: text,
    ticket_number: int8,
    changed_at: notNull(timestamptz),
  },
});

/** Moves a note behind all others. */
export const postponeNote = statement({
  text: `WITH note AS (DELETE FROM unregistered_results WHERE id = :noteId RETURNING *)
     INSERT INTO unregistered_results (ticket_id, ticket_number, company_code, positions)
     SELECT ticket_id, ticket_number, company_code, positions FROM note`,
  params: { noteId: int8 },
});
