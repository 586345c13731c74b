import { int8, notNull, nullable, text, textOf, timestamptz } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';
import type { Locale } from '#shared/locale.ts';

/** Takes a webhook whose mail waits, for at most a day. No other process takes it for so many seconds. */
export const takeSwitchedOff = statement({
  text: `UPDATE webhooks SET mail_at = now() + make_interval(secs => $1)
     WHERE id = (SELECT id FROM webhooks WHERE mail_at <= now() AND switched_off_at > now() - interval '1 day'
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
}).firstWith<[leaseSeconds: number]>();

/**
 * Lists the receivers of mails about a webhook: its creator, or up to ten others who may change it if the creator may not.
 * @param companyCode null for the superadmins
 */
export const listWebhookOwners = statement({
  text: `WITH admins AS (
       SELECT id, name, email FROM users
       WHERE active AND CASE WHEN $1::text IS NULL THEN superadmin ELSE role = 'company-admin' AND company_code = $1 END)
     SELECT name, email FROM admins
     WHERE id = $2 OR NOT EXISTS (SELECT FROM admins WHERE id = $2) ORDER BY id LIMIT 10`,
  row: { name: text, email: text },
}).allWith<[companyCode: string | null, createdBy: number | null]>();

export const endMail = statement({ text: 'UPDATE webhooks SET mail_at = NULL WHERE id = $1' }).runWith<
  [id: number]
>();
