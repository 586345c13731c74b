import { bool, float8, int4, int8, nullable, text, textOf, uuid } from '#server/db/column-types.ts';
import { isNotPutOff } from '#server/db/due-work.queries.ts';
import { hasCome } from '#server/db/has-come.ts';
import { statement } from '#server/db/statement.ts';
import { maxPauseSeconds } from '#server/runtime/retry-pause.ts';
import type { Role } from '#shared/role.ts';

export type TicketMailKind = 'completed' | 'waiting';

/** SQL condition: the user `u` may still see the ticket `t`. */
const maySeeTicket = `u.active AND (u.role = 'superadmin' OR u.company_code = t.company_code)`;

/** SQL condition: the user's settings `n`, or the defaults without any, subscribe to mails about the ticket `t`. */
const isSubscribed = 'coalesce(n.completed, true) AND t.total >= coalesce(n.from_rows, 1000)';

/**
 * Locks a Completed ticket whose receivers are not decided yet. The workbook has the values of the sheet's own columns. A
 * ticket waits for them, for at most an hour after its upload, because they may never be stored.
 */
export const lockCompleted = statement({
  text: `SELECT id FROM tickets WHERE status = 'Completed' AND NOT completion_told AND ${isNotPutOff('completed ticket', 'id')}
       AND NOT EXISTS (SELECT FROM imported_fields f WHERE f.ticket_id = tickets.id AND f.at > now() - interval '1 hour')
     ORDER BY id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
  row: { id: int8 },
});

export const markCompletionNotified = statement({
  text: 'UPDATE tickets SET completion_told = true WHERE id = :ticketId',
  params: { ticketId: int8 },
});

/** Locks a ticket that has waited for more than an hour, and whose receivers are not decided yet. */
export const lockWaiting = statement({
  text: `SELECT id FROM tickets WHERE waiting_for IS NOT NULL AND NOT wait_told AND waiting_since < now() - interval '1 hour'
       AND ${isNotPutOff('waiting ticket', 'id')}
     ORDER BY waiting_since LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
  row: { id: int8 },
});

export const markWaitNotified = statement({
  text: 'UPDATE tickets SET wait_told = true WHERE id = :ticketId',
  params: { ticketId: int8 },
});

/**
 * Stores a mail about an uploaded ticket for its uploader, and for the superadmin who made its order, unless their settings
 * leave it out. Rechecks are reported to the receivers of the expiry watch instead.
 */
export const insertTicketMails = statement({
  text: `INSERT INTO ticket_mails (ticket_id, user_id, kind)
     SELECT t.id, u.id, :kind FROM tickets t
     JOIN users u ON (u.id = t.imported_by OR u.id = t.created_by AND u.role = 'superadmin') AND ${maySeeTicket}
     LEFT JOIN notifications n ON n.user_id = u.id
     WHERE t.id = :ticketId AND t.import_kind IN ('upload', 'paste') AND ${isSubscribed}`,
  params: { ticketId: int8, kind: textOf<TicketMailKind>() },
});

/**
 * Takes the mail that waits longest. No other process takes it for so many seconds. While a retried ticket runs, a mail about
 * its end is not taken. A mail is due while its receiver is active, may see the ticket and has subscribed, and while the ticket
 * is Completed or waits, as the mail says.
 */
export const takeTicketMail = statement({
  text: `UPDATE ticket_mails m SET attempts = attempts + 1, next_at = now() + make_interval(secs => :leaseSeconds)
     FROM tickets t, users u LEFT JOIN notifications n ON n.user_id = u.id
     WHERE m.id = (
         SELECT id FROM ticket_mails WHERE ${hasCome('next_at', maxPauseSeconds)}
           AND (kind = 'waiting' OR (SELECT status FROM tickets WHERE id = ticket_id) IN ('Completed', 'Cancelled'))
         ORDER BY next_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
       AND t.id = m.ticket_id AND u.id = m.user_id
     RETURNING m.id, m.kind, m.attempts, m.message_id, t.ticket_number, t.company_code, t.file_name, t.import_kind, t.total,
       u.name, u.email, u.role,
       ${maySeeTicket} AND ${isSubscribed}
         AND CASE m.kind WHEN 'completed' THEN t.status = 'Completed' ELSE t.waiting_for IS NOT NULL END AS is_due`,
  params: { leaseSeconds: float8 },
  row: {
    id: int8,
    kind: textOf<TicketMailKind>(),
    attempts: int4,
    message_id: uuid,
    ticket_number: int8,
    company_code: text,
    file_name: nullable(text),
    import_kind: nullable(textOf<'upload' | 'paste' | 'recheck'>()),
    total: int4,
    name: text,
    email: text,
    role: textOf<Role>(),
    is_due: bool,
  },
});

export const deleteTicketMail = statement({
  text: 'DELETE FROM ticket_mails WHERE id = :id',
  params: { id: int8 },
});

export const postponeTicketMail = statement({
  text: 'UPDATE ticket_mails SET next_at = now() + make_interval(secs => :seconds), attempts = :attempts WHERE id = :id',
  params: { id: int8, attempts: int4, seconds: float8 },
});

/** Counts the failed rows of a ticket by reason, most first. */
export const countFailures = statement({
  text: `SELECT reason, count(*) FROM serials WHERE ticket_id = :ticketId AND state = 'failed'
     GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 10`,
  params: { ticketId: int8 },
  row: { reason: nullable(text), count: int8 },
});
