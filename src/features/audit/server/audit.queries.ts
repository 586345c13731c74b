import type { AuditFilter } from '#features/audit/audit.contract.ts';
import type { AuditAction } from '#features/audit/audit-words.shared.ts';
import { readBatches } from '#server/db/bulk/read-batches.ts';
import {
  int8,
  jsonb,
  listColumns,
  nullable,
  type RowOf,
  text,
  textOf,
  timestamptz,
} from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

/** The recorded fields of an object before or after an action. Never a secret. */
type Values = Record<string, string | number | boolean | null>;

const recorded = {
  actor_id: nullable(int8),
  actor_email: nullable(text),
  token_id: nullable(int8),
  token_name: nullable(text),
  address: nullable(text),
  action: textOf<AuditAction>(),
  object_type: text,
  object_id: nullable(text),
  company_code: nullable(text),
  before: nullable(jsonb<Values>()),
  after: nullable(jsonb<Values>()),
};

/** `actor_name`, `object_name` and `company_name` are the present names. */
const entry = {
  id: int8,
  at: timestamptz,
  ...recorded,
  actor_name: nullable(text),
  object_name: nullable(text),
  company_name: nullable(text),
};

export type AuditRow = RowOf<typeof entry>;
/** Values to record. Undefined ones are left out. */
export type NewValues = { [field: string]: Values[string] | undefined };
export type NewEntry = Omit<RowOf<typeof recorded>, 'before' | 'after'> &
  Record<'before' | 'after', NewValues | null>;

// Unlike the start of the transaction, the present instant is after a wait for the lock of the object: the entries of an
// object have the order of its changes.
const insert = statement({
  text: `INSERT INTO audit_log (at, actor_id, actor_email, token_id, token_name, address, action, object_type, object_id, company_code, before, after)
     VALUES (clock_timestamp(), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
});

export async function insertEntry(tx: Queryable, made: NewEntry): Promise<void> {
  await insert.run(tx, [
    made.actor_id,
    made.actor_email,
    made.token_id,
    made.token_name,
    made.address,
    made.action,
    made.object_type,
    made.object_id,
    made.company_code,
    made.before && JSON.stringify(made.before),
    made.after && JSON.stringify(made.after),
  ]);
}

/** All entries with names. Only the names of chosen rows are looked up. A deleted object keeps the name that was recorded. */
const named = `(SELECT *, (SELECT u.name FROM users u WHERE u.id = actor_id) AS actor_name,
     (SELECT c.company_name FROM clients c WHERE c.company_code = audit_log.company_code) AS company_name,
     coalesce(CASE object_type
       WHEN 'client' THEN (SELECT c.company_name FROM clients c WHERE c.id = object_id::bigint)
       -- An invitation names its object by the email address.
       WHEN 'user' THEN (SELECT u.email FROM users u WHERE u.id = substring(object_id FROM '^\\d+$')::bigint)
       -- A draft has no number, but the month that it is for.
       WHEN 'invoice' THEN coalesce((SELECT coalesce(i.number, to_char(i.month, 'YYYY-MM'))
         FROM invoices i WHERE i.id = object_id::bigint), before ->> 'month', after ->> 'month')
       -- The path of a webhook's address may hold a secret of its receiver.
       WHEN 'webhook' THEN substring(coalesce((SELECT w.url FROM webhooks w WHERE w.id = object_id::bigint),
         before ->> 'url', after ->> 'url') FROM '://([^/?#]+)') END,
       after ->> 'company_name', before ->> 'company_name', object_id) AS object_name
   FROM audit_log) e`;

/**
 * SQL condition: an entry that company administrators may read. It is neither by nor about a superadmin, nor about an
 * invoice that was never issued.
 */
const openToCompany = `NOT EXISTS (SELECT FROM users u WHERE u.role = 'superadmin' AND (u.id = actor_id
         OR object_type = 'user' AND u.id = substring(object_id FROM '^\\d+$')::bigint))
       AND 'superadmin' IS DISTINCT FROM before ->> 'role' AND 'superadmin' IS DISTINCT FROM after ->> 'role'
       AND (object_type <> 'invoice' OR EXISTS (SELECT FROM invoices i
         WHERE i.id = substring(object_id FROM '^\\d+$')::bigint AND i.number IS NOT NULL))`;

/** The filters of the log, and the company that the reader may see (null: all). */
export type ScopedFilter = AuditFilter & { scope: string | null };

/**
 * The entries of the scope `$10` that pass the filters `$1` to `$8`. Both ends of a range are included, as whole days of the time zone `$9` or
 * as milliseconds.
 */
const found = `${named} WHERE ($1::text IS NULL OR actor_id::text = $1 OR lower(actor_email) = lower($1))
     AND ($2::text IS NULL OR action = $2) AND ($3::text IS NULL OR object_type = $3)
     AND ($4::text IS NULL OR object_id = $4) AND ($5::text IS NULL OR company_code = $5)
     AND ($6::text IS NULL OR at >= CASE WHEN $6 LIKE '%T%' THEN $6::timestamptz
       ELSE $6::date::timestamp AT TIME ZONE $9::text END)
     AND ($7::text IS NULL OR at < CASE WHEN $7 LIKE '%T%' THEN $7::timestamptz + interval '1 millisecond'
       ELSE ($7::date + 1)::timestamp AT TIME ZONE $9::text END)
     AND ($8::text IS NULL OR lower(object_name) = lower($8))
     AND ($10::text IS NULL OR company_code = $10 AND ${openToCompany})`;

const listPage = statement({
  text: `SELECT ${listColumns(entry)} FROM ${found} ORDER BY at DESC, id DESC LIMIT $11 OFFSET $12`,
  row: entry,
});

export function listEntryPage(
  db: Queryable,
  filter: ScopedFilter,
  timeZone: string,
  limit: number,
  offset: number,
): Promise<AuditRow[]> {
  return listPage.all(db, [...valuesOf(filter, timeZone), limit, offset]);
}

const count = statement({ text: `SELECT count(*) FROM ${found}`, row: { count: int8 } });

export async function countEntries(db: Queryable, filter: ScopedFilter, timeZone: string): Promise<number> {
  return (await count.one(db, valuesOf(filter, timeZone))).count;
}

export function readEntries(
  client: Queryable,
  filter: ScopedFilter,
  timeZone: string,
  rowsAtOnce: number,
): AsyncGenerator<AuditRow[]> {
  return readBatches(client, listPage, [...valuesOf(filter, timeZone), null, 0], rowsAtOnce);
}

function valuesOf(filter: ScopedFilter, timeZone: string): unknown[] {
  const { actor, action, object_type, object_id, company_code, from, to, object_name } = filter;
  const range = [from, to].map((moment) => moment && readMoment(moment));
  const given = [actor, action, object_type, object_id, company_code, ...range, object_name];
  return [...given.map((value) => value ?? null), timeZone, filter.scope];
}

/** Reads an instant, of which PostgreSQL takes neither every offset nor a long fraction of a second; a day stays a text. */
function readMoment(moment: string): Date | string {
  return moment.includes('T') ? new Date(moment) : moment;
}

/** Counts entries of a company (null: those without one) since an instant. */
export const countRecorded = statement({
  text: 'SELECT count(*) FROM audit_log WHERE company_code IS NOT DISTINCT FROM $2 AND at > $3 AND action = ANY ($1)',
  row: { count: int8 },
}).valueWith<[actions: AuditAction[], companyCode: string | null, since: Date]>();

const allowDeletion = statement({
  text: `SELECT set_config('coverdesk.audit_days', $1, true)`,
  row: { set_config: nullable(text) },
});
const deleteOld = statement({
  text: `DELETE FROM audit_log WHERE id = ANY (ARRAY(
       SELECT id FROM audit_log WHERE at < now() - make_interval(days => $1) ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
});

/**
 * Deletes up to `limit` entries that are older than so many days. Call it within a transaction.
 * @returns the number of deleted entries
 */
export async function deleteOldEntries(tx: Queryable, days: number, limit: number): Promise<number> {
  await allowDeletion.run(tx, [String(days)]);
  return deleteOld.run(tx, [days, limit]);
}
