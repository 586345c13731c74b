import { int4, int4Array, int8, notNull, type RowOf, text, textOf, uuid } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import type { Locale } from '#shared/locale.ts';
import { getsReminders, maxReceivers } from './reminders.queries.ts';

const settings = { days: int4Array, language: textOf<Locale>() };
export type SettingsRow = RowOf<typeof settings>;

const find = statement({ text: 'SELECT days, language FROM invoice_reminder_settings', row: settings });

/** Finds the settings; undefined until they are first stored. */
export function findSettings(db: Queryable): Promise<SettingsRow | undefined> {
  return find.first(db);
}

const upsert = statement({
  text: `INSERT INTO invoice_reminder_settings (days, language) VALUES ($1, $2)
     ON CONFLICT (id) DO UPDATE SET days = $1, language = $2`,
});

/** Replaces the settings. */
export async function replaceSettings(tx: Queryable, { days, language }: SettingsRow): Promise<void> {
  await upsert.run(tx, [days, language]);
}

const due = {
  id: int8,
  number: notNull(text),
  company_code: text,
  step: notNull(int4),
};

const lockDue = statement({
  text: `SELECT i.id, i.number, i.company_code, passed.step
     FROM invoices i, LATERAL (SELECT max(d) AS step FROM unnest($2::integer[]) AS d WHERE i.due_at + d <= $1::date) AS passed
     WHERE i.status = 'issued' AND i.due_at < $1::date AND passed.step > i.reminded_days
       AND (i.reminded_at IS NULL OR i.reminded_at <= $3::timestamptz)
       AND EXISTS (SELECT FROM users u WHERE ${getsReminders('i.company_code')})
     ORDER BY i.id LIMIT 1 FOR UPDATE OF i SKIP LOCKED`,
  row: due,
});

/**
 * Locks an issued invoice that has passed another step, and whose company has an administrator.
 * @param day the last day whose reminders are due
 * @param days the steps
 * @param before only invoices that nobody was reminded of later
 */
export function lockDueInvoice(tx: Queryable, day: string, days: number[], before: Date) {
  return lockDue.first(tx, [day, days, before]);
}

const note = statement({ text: 'UPDATE invoices SET reminded_days = $2, reminded_at = $3 WHERE id = $1' });

/** Notes that the company of a locked invoice is reminded at a step. */
export async function markStep(tx: Queryable, id: number, step: number, at: Date): Promise<void> {
  await note.run(tx, [id, step, at]);
}

const insert = statement({
  text: `INSERT INTO invoice_mails (invoice_id, address, name, language)
     SELECT i.id, u.email, u.name, $2 FROM invoices i JOIN users u ON ${getsReminders('i.company_code')}
     WHERE i.id = $1 ORDER BY u.id LIMIT ${maxReceivers}`,
});

/** Stores a reminder for each administrator of the company of an invoice. @returns their number */
export function insertReminders(tx: Queryable, invoiceId: number, language: Locale): Promise<number> {
  return insert.run(tx, [invoiceId, language]);
}

const mail = {
  id: int8,
  invoice_id: int8,
  address: text,
  name: text,
  language: textOf<Locale>(),
  message_id: uuid,
  attempts: int4,
};

const take = statement({
  text: `UPDATE invoice_mails SET attempts = attempts + 1, next_at = now() + make_interval(secs => $1)
     WHERE id = (SELECT id FROM invoice_mails WHERE next_at <= now() ORDER BY next_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING id, invoice_id, address, name, language, message_id, attempts`,
  row: mail,
});

/** Takes the reminder that waits longest. No other process takes it for so many seconds. */
export function takeReminder(db: Queryable, leaseSeconds: number) {
  return take.first(db, [leaseSeconds]);
}

const remove = statement({ text: 'DELETE FROM invoice_mails WHERE id = $1' });

/** Deletes a reminder that was sent or given up. */
export async function deleteReminder(db: Queryable, id: number): Promise<void> {
  await remove.run(db, [id]);
}

const postpone = statement({
  text: 'UPDATE invoice_mails SET next_at = now() + make_interval(secs => $2) WHERE id = $1',
});

/** Lets a reminder wait for so many seconds. */
export async function postponeReminder(db: Queryable, id: number, seconds: number): Promise<void> {
  await postpone.run(db, [id, seconds]);
}
