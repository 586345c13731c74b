import {
  bool,
  int4,
  int8,
  listColumns,
  nullable,
  type RowOf,
  text,
  textArray,
  textOf,
  timestamptz,
} from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import type { Locale } from '#shared/locale.ts';
import type { WebhookOrder } from '../webhooks.contract.ts';

const stored = {
  id: int8,
  company_code: nullable(text),
  url: text,
  events: textArray,
  active: bool,
  language: textOf<Locale>(),
  created_at: timestamptz,
  failing_since: nullable(timestamptz),
  switched_off_at: nullable(timestamptz),
  version: int4,
};
const webhook = { ...stored, created_by_name: nullable(text), old_secret_until: nullable(timestamptz) };
const columns = `${listColumns(stored, 'w')}, (SELECT name FROM users u WHERE u.id = w.created_by) AS created_by_name,
  CASE WHEN w.old_secret_until > now() THEN w.old_secret_until END AS old_secret_until`;

export type WebhookRow = RowOf<typeof webhook>;

const inScope = '($1::text IS NULL OR w.company_code = $1) AND ($2::text IS NULL OR w.company_code = $2)';

export const listWebhookPage = statement({
  text: `SELECT ${columns} FROM webhooks w WHERE ${inScope} ORDER BY w.id DESC LIMIT $3 OFFSET $4`,
  row: webhook,
}).allWith<[scope: string | null, companyCode: string | undefined, limit: number, offset: number]>();

export const countWebhooks = statement({
  text: `SELECT count(*) FROM webhooks w WHERE ${inScope}`,
  row: { count: int8 },
}).valueWith<[scope: string | null, companyCode: string | undefined]>();

const lockAll = statement({
  text: `SELECT pg_advisory_xact_lock(hashtextextended('webhooks of ' || coalesce($1::text, ''), 0))`,
});
const countOwn = statement({
  text: 'SELECT count(*) FROM webhooks WHERE company_code IS NOT DISTINCT FROM $1',
  row: { count: int8 },
});

/** Counts the webhooks of a company, or those of the superadmins, until the transaction ends. */
export async function countForCreation(tx: Queryable, companyCode: string | null): Promise<number> {
  await lockAll.run(tx, [companyCode]);
  return (await countOwn.one(tx, [companyCode])).count;
}

export const findWebhook = statement({
  text: `SELECT ${columns} FROM webhooks w WHERE id = $1 AND ($2::text IS NULL OR company_code = $2)`,
  row: webhook,
}).firstWith<[id: number, scope: string | null]>();

/** Locks a webhook in a scope against changes until the transaction ends. */
export const lockWebhook = statement({
  text: `SELECT ${columns} FROM webhooks w WHERE id = $1 AND ($2::text IS NULL OR company_code = $2) FOR NO KEY UPDATE`,
  row: webhook,
}).firstWith<[id: number, scope: string | null]>();

const insert = statement({
  text: `INSERT INTO webhooks AS w (company_code, created_by, url, events, active, secret, language)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${columns}`,
  row: webhook,
});

type NewWebhook = WebhookOrder & {
  companyCode: string | null;
  createdBy: number;
  /** Sealed. */
  secret: string;
  language: Locale;
};

export function insertWebhook(tx: Queryable, made: NewWebhook): Promise<WebhookRow> {
  const { companyCode, createdBy, url, events, active, secret, language } = made;
  return insert.one(tx, [companyCode, createdBy, url, events, active, secret, language]);
}

const update = statement({
  text: `UPDATE webhooks w SET url = $2, events = $3, active = $4, failing_since = NULL, slow = false,
       switched_off_at = NULL, mail_at = NULL, version = version + 1
     WHERE id = $1 RETURNING ${columns}`,
  row: webhook,
});

/** Replaces the settings of a webhook and forgets its failures. */
export function updateWebhookRow(tx: Queryable, id: number, { url, events, active }: WebhookOrder) {
  return update.one(tx, [id, url, events, active]);
}

/** Replaces the secret of a webhook. @param hours how long the one before signs, too */
export const renewSecret = statement({
  text: `UPDATE webhooks w SET secret = $2, old_secret = secret, old_secret_until = now() + make_interval(hours => $3)
     WHERE id = $1 RETURNING ${columns}`,
  row: webhook,
}).oneWith<[id: number, sealed: string, hours: number]>();

export const deleteOldSecrets = statement({
  text: 'UPDATE webhooks SET old_secret = NULL, old_secret_until = NULL WHERE old_secret_until <= now()',
}).runWith();

export const deleteWebhookRow = statement({ text: 'DELETE FROM webhooks WHERE id = $1' }).runWith<
  [id: number]
>();
