import { array, bool, float8, int4, int8, text, textOf, timestamptz, uuid } from '#server/db/column-types.ts';
import { hasCome } from '#server/db/has-come.ts';
import { statement } from '#server/db/statement.ts';
import { maxPauseSeconds } from '#server/runtime/retry-pause.ts';
import type { Locale } from '#shared/locale.ts';

/** The most receivers of a reminder. */
const maxReceivers = 20;

/** SQL condition: the user `u` gets the reminders of a company. @param companyCode SQL */
export const getsReminders = (companyCode: string) =>
  `u.company_code = ${companyCode} AND u.role = 'company-admin' AND u.active`;

/** Stores a reminder for each administrator of the company of an invoice. @returns their addresses */
export const insertReminders = statement({
  text: `INSERT INTO invoice_mails (invoice_id, address, name, language)
     SELECT i.id, u.email, u.name, :language FROM invoices i JOIN users u ON ${getsReminders('i.company_code')}
     WHERE i.id = :invoiceId ORDER BY u.id LIMIT ${maxReceivers} RETURNING address`,
  params: { invoiceId: int8, language: textOf<Locale>() },
  row: { address: text },
});

const invoiceMails = { invoiceId: int8, addresses: array(text), language: textOf<Locale>() };

/** Stores a mail with an invoice for each of some addresses that none waits for. */
export const insertInvoiceMails = statement({
  text: `INSERT INTO invoice_mails (invoice_id, address, name, language, kind)
     SELECT :invoiceId, address, '', :language, 'invoice' FROM unnest(:addresses::text[]) AS asked (address)
     WHERE NOT EXISTS (SELECT FROM invoice_mails mail
       WHERE mail.invoice_id = :invoiceId AND mail.kind = 'invoice' AND mail.address = asked.address AND mail.language = :language)`,
  params: invoiceMails,
});

/** Deletes the mails of an earlier sending that wait, except those that are being sent to these addresses. */
export const deleteInvoiceMails = statement({
  text: `DELETE FROM invoice_mails WHERE invoice_id = :invoiceId AND kind = 'invoice'
     AND NOT (sending AND next_at > now() AND address = ANY (:addresses::text[]) AND language = :language)`,
  params: invoiceMails,
});

/** Notes a new sending of a locked invoice. `isSent`: the mails of the sending before, if there was one, were sent. */
export const markSent = statement({
  text: `UPDATE invoices SET sent_at = :at, sent_to = :to, send_failed = false,
       earlier_sent_at = CASE WHEN :isSent::boolean THEN sent_at ELSE earlier_sent_at END,
       earlier_sent_to = CASE WHEN :isSent THEN sent_to ELSE earlier_sent_to END WHERE id = :id`,
  params: { id: int8, at: timestamptz, to: array(text), isSent: bool },
});

/**
 * Takes the mail that waits longest. No other process takes it for so many seconds. An invoice is due while it stands, a
 * reminder while its invoice is not paid and its receiver is an administrator of the company.
 */
export const takeMail = statement({
  text: `UPDATE invoice_mails SET attempts = attempts + 1, sending = true,
       next_at = now() + make_interval(secs => :leaseSeconds)
     WHERE id = (SELECT id FROM invoice_mails WHERE ${hasCome('next_at', maxPauseSeconds)} ORDER BY next_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING id, invoice_id, kind, address, name, language, message_id, attempts, EXISTS (
       SELECT FROM invoices i WHERE i.id = invoice_mails.invoice_id AND CASE invoice_mails.kind
         WHEN 'invoice' THEN i.status IN ('issued', 'paid')
         ELSE i.status = 'issued' AND EXISTS (
           SELECT FROM users u WHERE ${getsReminders('i.company_code')} AND u.email = invoice_mails.address) END) AS is_due`,
  params: { leaseSeconds: float8 },
  row: {
    id: int8,
    invoice_id: int8,
    kind: textOf<'invoice' | 'reminder'>(),
    address: text,
    name: text,
    language: textOf<Locale>(),
    message_id: uuid,
    attempts: int4,
    is_due: bool,
  },
});

export const deleteMail = statement({
  text: 'DELETE FROM invoice_mails WHERE id = :id',
  params: { id: int8 },
});

/**
 * SQL condition: an invoice with a mail that is given up has failed to be sent. Not if a credit note has withdrawn it and it
 * was sent before: the earlier sending counts again.
 */
const hasFailed = "(status IN ('issued', 'paid') OR earlier_sent_at IS NULL)";

/**
 * Deletes a mail that cannot be sent. If it sent an invoice, that sending has failed (see `hasFailed`).
 */
export const giveUpMail = statement({
  text: `WITH given_up AS (DELETE FROM invoice_mails WHERE id = :id RETURNING invoice_id, kind)
     UPDATE invoices SET send_failed = ${hasFailed}, sent_at = CASE WHEN ${hasFailed} THEN sent_at ELSE earlier_sent_at END,
       sent_to = CASE WHEN ${hasFailed} THEN sent_to ELSE earlier_sent_to END
     WHERE id = (SELECT invoice_id FROM given_up WHERE kind = 'invoice')`,
  params: { id: int8 },
});

export const postponeMail = statement({
  text: 'UPDATE invoice_mails SET sending = false, next_at = now() + make_interval(secs => :seconds), attempts = :attempts WHERE id = :id',
  params: { id: int8, attempts: int4, seconds: float8 },
});
