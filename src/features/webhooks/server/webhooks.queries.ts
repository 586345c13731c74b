import {
  array,
  bool,
  float8,
  int4,
  int8,
  listColumns,
  nullable,
  type RowOf,
  text,
  textOf,
  timestamptz,
} from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import type { Locale } from '#shared/locale.ts';

const storedColumns = {
  id: int8,
  company_code: nullable(text),
  url: text,
  events: array(text),
  active: bool,
  language: textOf<Locale>(),
  created_at: timestamptz,
  failing_since: nullable(timestamptz),
  switched_off_at: nullable(timestamptz),
  version: int4,
};
const webhook = {
  ...storedColumns,
  created_by_name: nullable(text),
  old_secret_until: nullable(timestamptz),
};
// A creator who became a superadmin is not named to the company.
const columns = `${listColumns(storedColumns, 'w')},
  (SELECT name FROM users u WHERE u.id = w.created_by AND (w.company_code IS NULL OR u.role <> 'superadmin')) AS created_by_name,
  CASE WHEN w.old_secret_until > now() THEN w.old_secret_until END AS old_secret_until`;

export type WebhookRow = RowOf<typeof webhook>;

const inScope =
  '(:scope::text IS NULL OR w.company_code = :scope) AND (:companyCode::text IS NULL OR w.company_code = :companyCode)';

export const listWebhookPage = statement({
  text: `SELECT ${columns} FROM webhooks w WHERE ${inScope} ORDER BY w.id DESC LIMIT :limit OFFSET :offset`,
  params: { scope: nullable(text), companyCode: nullable(text), limit: int8, offset: int8 },
  row: webhook,
});

export const countWebhooks = statement({
  text: `SELECT count(*) FROM webhooks w WHERE ${inScope}`,
  params: { scope: nullable(text), companyCode: nullable(text) },
  row: { count: int8 },
});

const lockAll = statement({
  text: `SELECT pg_advisory_xact_lock(hashtextextended('webhooks of ' || coalesce(:companyCode::text, ''), 0))`,
  params: { companyCode: nullable(text) },
});
const countOwn = statement({
  text: 'SELECT count(*) FROM webhooks WHERE company_code IS NOT DISTINCT FROM :companyCode',
  params: { companyCode: nullable(text) },
  row: { count: int8 },
});

/** Counts the webhooks of a company, or those of the superadmins, until the transaction ends. */
export async function countForCreation(tx: Queryable, companyCode: string | null): Promise<number> {
  await lockAll.run(tx, { companyCode });
  return (await countOwn.one(tx, { companyCode })).count;
}

export const findWebhook = statement({
  text: `SELECT ${columns} FROM webhooks w WHERE id = :id AND (:scope::text IS NULL OR company_code = :scope)`,
  params: { id: int8, scope: nullable(text) },
  row: webhook,
});

/** Locks a webhook in a scope against changes until the transaction ends. */
export const lockWebhook = statement({
  text: `SELECT ${columns} FROM webhooks w WHERE id = :id AND (:scope::text IS NULL OR company_code = :scope) FOR NO KEY UPDATE`,
  params: { id: int8, scope: nullable(text) },
  row: webhook,
});

export const insertWebhook = statement({
  text: `INSERT INTO webhooks AS w (company_code, created_by, url, events, active, secret, language)
     VALUES (:companyCode, :createdBy, :url, :events, :active, :secret, :language) RETURNING ${columns}`,
  params: {
    companyCode: nullable(text),
    createdBy: int8,
    url: text,
    events: array(text),
    active: bool,
    /** Sealed. */
    secret: text,
    language: textOf<Locale>(),
  },
  row: webhook,
});

/**
 * Replaces the settings of a webhook and forgets its failures. A new address waits only for an attempt at the old one, at most as
 * long as its lease, and not for a pause that the old receiver asked for.
 */
export const updateWebhookRow = statement({
  text: `UPDATE webhooks w SET url = :url, events = :events, active = :active, failing_since = NULL, slow = false,
       switched_off_at = NULL, mail_at = NULL, version = version + 1,
       busy_until = CASE WHEN url = :url THEN busy_until ELSE least(busy_until, now() + make_interval(secs => :leaseSeconds)) END
     WHERE id = :id RETURNING ${columns}`,
  params: { id: int8, url: text, events: array(text), active: bool, leaseSeconds: float8 },
  row: webhook,
});

/** Replaces the secret of a webhook. @param hours how long the one before signs, too */
export const renewSecret = statement({
  text: `UPDATE webhooks w SET secret = :sealed, old_secret = secret, old_secret_until = now() + make_interval(hours => :hours)
     WHERE id = :id RETURNING ${columns}`,
  params: { id: int8, sealed: text, hours: int4 },
  row: webhook,
});

export const deleteOldSecrets = statement({
  text: 'UPDATE webhooks SET old_secret = NULL, old_secret_until = NULL WHERE old_secret_until <= now()',
});

export const deleteWebhookRow = statement({
  text: 'DELETE FROM webhooks WHERE id = :id',
  params: { id: int8 },
});
