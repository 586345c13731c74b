import { array, date, int4, int8, notNull, text, textOf, timestamptz } from '#server/db/column-types.ts';
import { isNotPutOff } from '#server/db/due-work.queries.ts';
import { statement } from '#server/db/statement.ts';
import type { Locale } from '#shared/locale.ts';
import { getsReminders } from '../mails/invoice-mails.queries.ts';

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
 * @param before skips invoices that had a reminder after this time
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
