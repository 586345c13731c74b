import {
  array,
  bool,
  date,
  float8,
  int4,
  int8,
  notNull,
  text,
  textOf,
  timestamptz,
  uuid,
} from '#server/db/column-types.ts';
import { isNotPutOff } from '#server/db/due-work.queries.ts';
import { statement } from '#server/db/statement.ts';
import type { Locale } from '#shared/locale.ts';

/** The most receivers of a reminder. */
const maxReceivers = 20;

/** Whether the user `u` gets the reminders of a company: SQL for `companyCode`. */
const getsReminders = (companyCode: string) =>
  `u.company_code = ${companyCode} AND u.role = 'company-admin' AND u.active`;

/** Finds the settings; undefined until they are first stored. */
export const findSettings = statement({
  text: 'SELECT days, language, version FROM invoice_reminder_settings',
  row: { days: array(int4), language: textOf<Locale>(), version: int4 },
});

/** Locks the settings until the transaction ends, also before they are first stored. */
export const lockSettings = statement({
  text: "SELECT pg_advisory_xact_lock(hashtext('settings of reminders'))",
});

export const replaceSettings = statement({
  text: `INSERT INTO invoice_reminder_settings (days, language) VALUES (:days, :language)
     ON CONFLICT (id) DO UPDATE SET days = :days, language = :language, version = invoice_reminder_settings.version + 1`,
  params: { days: array(int4), language: textOf<Locale>() },
});

/**
 * Locks an issued invoice that has passed another step, and whose company has an administrator.
 * @param day the last day whose reminders are due
 * @param days the steps
 * @param before only invoices that nobody was reminded of later
 */
export const lockDueInvoice = statement({
  text: `SELECT i.id, i.number, i.company_code, passed.step
     FROM invoices i, LATERAL (SELECT max(d) AS step FROM unnest(:days::integer[]) AS d WHERE i.due_at + d <= :day::date) AS passed
     WHERE i.status = 'issued' AND i.due_at < :day::date AND passed.step > i.reminded_days
       AND (i.reminded_at IS NULL OR i.reminded_at <= :before::timestamptz)
       AND EXISTS (SELECT FROM users u WHERE ${getsReminders('i.company_code')})
       AND ${isNotPutOff('reminder', 'i.id')}
     ORDER BY i.id LIMIT 1 FOR UPDATE OF i SKIP LOCKED`,
  params: { day: date, days: array(int4), before: timestamptz },
  row: {
    id: int8,
    number: notNull(text),
    company_code: text,
    step: notNull(int4),
  },
});

/** Notes that the company of a locked invoice is reminded at a step. */
export const markStep = statement({
  text: 'UPDATE invoices SET reminded_days = :step, reminded_at = :at WHERE id = :id',
  params: { id: int8, step: int4, at: timestamptz },
});

/** Notes that the company of a locked invoice is reminded by hand. */
export const markReminded = statement({
  text: 'UPDATE invoices SET reminded_at = :at WHERE id = :id',
  params: { id: int8, at: timestamptz },
});

/** Stores a reminder for each administrator of the company of an invoice. @returns their addresses */
export const insertReminders = statement({
  text: `INSERT INTO invoice_mails (invoice_id, address, name, language)
     SELECT i.id, u.email, u.name, :language FROM invoices i JOIN users u ON ${getsReminders('i.company_code')}
     WHERE i.id = :invoiceId ORDER BY u.id LIMIT ${maxReceivers} RETURNING address`,
  params: { invoiceId: int8, language: textOf<Locale>() },
  row: { address: text },
});

/**
 * Takes the reminder that waits longest. No other process takes it for so many seconds. It is due while its invoice is not
 * paid and its receiver is an administrator of the company.
 */
export const takeReminder = statement({
  text: `UPDATE invoice_mails SET attempts = attempts + 1, next_at = now() + make_interval(secs => :leaseSeconds)
     WHERE id = (SELECT id FROM invoice_mails WHERE next_at <= now() ORDER BY next_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING id, invoice_id, address, name, language, message_id, attempts, EXISTS (
       SELECT FROM invoices i JOIN users u ON ${getsReminders('i.company_code')}
       WHERE i.id = invoice_mails.invoice_id AND i.status = 'issued' AND u.email = invoice_mails.address) AS is_due`,
  params: { leaseSeconds: float8 },
  row: {
    id: int8,
    invoice_id: int8,
    address: text,
    name: text,
    language: textOf<Locale>(),
    message_id: uuid,
    attempts: int4,
    is_due: bool,
  },
});

export const deleteReminder = statement({
  text: 'DELETE FROM invoice_mails WHERE id = :id',
  params: { id: int8 },
});

export const postponeReminder = statement({
  text: 'UPDATE invoice_mails SET next_at = now() + make_interval(secs => :seconds) WHERE id = :id',
  params: { id: int8, seconds: float8 },
});
