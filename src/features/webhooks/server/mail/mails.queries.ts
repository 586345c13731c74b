import { int8, notNull, nullable, text, textOf, timestamptz } from '#server/db/column-types.ts';
import { hasCome } from '#server/db/has-come.ts';
import { statement } from '#server/db/statement.ts';
import type { Locale } from '#shared/locale.ts';

/** Longer than a mail server may take. Then a mail that failed is sent again. */
const leaseSeconds = 300;

/** Takes a webhook whose mail waits, for at most a day. No other process takes it before the lease ends. */
export const takeSwitchedOff = statement({
  text: `UPDATE webhooks SET mail_at = now() + interval '${leaseSeconds} seconds'
     WHERE id = (SELECT id FROM webhooks WHERE ${hasCome('mail_at', leaseSeconds)} AND switched_off_at > now() - interval '1 day'
       ORDER BY mail_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING id, company_code, created_by, url, language, switched_off_at`,
  row: {
    id: int8,
    company_code: nullable(text),
    created_by: nullable(int8),
    url: text,
    language: textOf<Locale>(),
    switched_off_at: notNull(timestamptz),
  },
});

/**
 * Lists the receivers of mails about a webhook: its creator, or up to ten others who may change it if the creator may not.
 * @param companyCode null for the superadmins
 */
export const listWebhookOwners = statement({
  text: `WITH admins AS (
       SELECT id, name, email FROM users
       WHERE active AND CASE WHEN :companyCode::text IS NULL THEN superadmin
         ELSE role = 'company-admin' AND company_code = :companyCode END)
     SELECT name, email FROM admins
     WHERE id = :createdBy OR NOT EXISTS (SELECT FROM admins WHERE id = :createdBy) ORDER BY id LIMIT 10`,
  params: { companyCode: nullable(text), createdBy: nullable(int8) },
  row: { name: text, email: text },
});

export const endMail = statement({
  text: 'UPDATE webhooks SET mail_at = NULL WHERE id = :id',
  params: { id: int8 },
});
