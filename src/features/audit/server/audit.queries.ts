import type { AuditQuery } from '#features/audit/audit.contract.ts';
import type { AuditAction } from '#features/audit/audit-words.shared.ts';
import { readBatches } from '#server/db/bulk/read-batches.ts';
import {
  array,
  int4,
  int8,
  jsonb,
  listColumns,
  nullable,
  type RowOf,
  text,
  textOf,
  timestamptz,
  type ValuesOf,
} from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

/** The recorded fields of an object before or after an action. Never a secret. */
type Values = Record<string, string | number | boolean | null>;

const recordedColumns = {
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
  ...recordedColumns,
  action: text,
  actor_name: nullable(text),
  object_name: nullable(text),
  company_name: nullable(text),
};

export type AuditRow = RowOf<typeof entry>;
/** Values to record. Undefined ones are left out. */
export type NewValues = { [field: string]: Values[string] | undefined };

// Unlike the start of the transaction, the present instant is after a wait for the lock of the object: the entries of an
// object have the order of its changes.
export const insertEntry = statement({
  text: `INSERT INTO audit_log (at, actor_id, actor_email, token_id, token_name, address, action, object_type, object_id, company_code, before, after)
     VALUES (clock_timestamp(), :actor_id, :actor_email, :token_id, :token_name, :address, :action, :object_type,
       :object_id, :company_code, :before, :after)`,
  params: { ...recordedColumns, before: nullable(jsonb<NewValues>()), after: nullable(jsonb<NewValues>()) },
});

/** All entries with names. Only the names of chosen rows are looked up. A deleted object keeps the name that was recorded. */
const namedEntries = `(SELECT *, (SELECT u.name FROM users u WHERE u.id = actor_id) AS actor_name,
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
 * invoice that was never issued. The download of a list names no invoice.
 */
const openToCompany = `NOT EXISTS (SELECT FROM users u WHERE u.role = 'superadmin' AND (u.id = actor_id
         OR object_type = 'user' AND u.id = substring(object_id FROM '^\\d+$')::bigint))
       AND 'superadmin' IS DISTINCT FROM before ->> 'role' AND 'superadmin' IS DISTINCT FROM after ->> 'role'
       AND (object_type <> 'invoice' OR object_id IS NULL OR EXISTS (SELECT FROM invoices i
         WHERE i.id = substring(object_id FROM '^\\d+$')::bigint AND i.number IS NOT NULL))`;

/** The filters of the log, and the company that the reader may see (null: all). */
export type ScopedAuditQuery = AuditQuery & { scope: string | null };

/**
 * The entries of a scope that pass the filters. Both ends of a range are included, as whole days of the time zone or as
 * milliseconds.
 */
const matchingEntries = `${namedEntries} WHERE (:actor::text IS NULL OR actor_id::text = :actor OR lower(actor_email) = lower(:actor))
     AND (:action::text IS NULL OR action = :action) AND (:object_type::text IS NULL OR object_type = :object_type)
     AND (:object_id::text IS NULL OR object_id = :object_id)
     AND (:company_code::text IS NULL OR company_code = :company_code)
     AND (:from::text IS NULL OR at >= CASE WHEN :from LIKE '%T%' THEN :from::timestamptz
       ELSE :from::date::timestamp AT TIME ZONE :timeZone::text END)
     AND (:to::text IS NULL OR at < CASE WHEN :to LIKE '%T%' THEN :to::timestamptz + interval '1 millisecond'
       ELSE (:to::date + 1)::timestamp AT TIME ZONE :timeZone::text END)
     AND (:object_name::text IS NULL OR lower(object_name) = lower(:object_name))
     AND (:scope::text IS NULL OR company_code = :scope AND ${openToCompany})`;
const filters = {
  actor: nullable(text),
  action: nullable(text),
  object_type: nullable(text),
  object_id: nullable(text),
  company_code: nullable(text),
  from: nullable(text),
  to: nullable(text),
  object_name: nullable(text),
  timeZone: text,
  scope: nullable(text),
};

const listPage = statement({
  text: `SELECT ${listColumns(entry)} FROM ${matchingEntries} ORDER BY at DESC, id DESC LIMIT :limit OFFSET :offset`,
  params: { ...filters, limit: nullable(int8), offset: int8 },
  row: entry,
});

export function listEntryPage(
  db: Queryable,
  scopedQuery: ScopedAuditQuery,
  timeZone: string,
  limit: number,
  offset: number,
): Promise<AuditRow[]> {
  return listPage.all(db, { ...valuesOf(scopedQuery, timeZone), limit, offset });
}

const count = statement({
  text: `SELECT count(*) FROM ${matchingEntries}`,
  params: filters,
  row: { count: int8 },
});

export async function countEntries(
  db: Queryable,
  scopedQuery: ScopedAuditQuery,
  timeZone: string,
): Promise<number> {
  return (await count.one(db, valuesOf(scopedQuery, timeZone))).count;
}

export function readEntries(
  client: Queryable,
  scopedQuery: ScopedAuditQuery,
  timeZone: string,
  rowsAtOnce: number,
): AsyncGenerator<AuditRow[]> {
  return readBatches(
    client,
    listPage,
    { ...valuesOf(scopedQuery, timeZone), limit: null, offset: 0 },
    rowsAtOnce,
  );
}

function valuesOf(scopedQuery: ScopedAuditQuery, timeZone: string): ValuesOf<typeof filters> {
  const { actor, action, object_type, object_id, company_code, object_name, scope } = scopedQuery;
  const range = {
    from: scopedQuery.from && asMoment(scopedQuery.from),
    to: scopedQuery.to && asMoment(scopedQuery.to),
  };
  return { actor, action, object_type, object_id, company_code, ...range, object_name, timeZone, scope };
}

/** Returns an instant in a form that PostgreSQL takes: no long fraction of a second, no sign before the year. A day stays. */
function asMoment(moment: string): string {
  return moment.includes('T') ? new Date(moment).toISOString().replace(/^\+0*/, '') : moment;
}

const lockCount = statement({
  text: `SELECT pg_advisory_xact_lock(hashtextextended(
       'count of ' || array_to_string(:actions::text[], ' ') || ' of ' || coalesce(:companyCode::text, ''), 0))`,
  params: { actions: array(textOf<AuditAction>()), companyCode: nullable(text) },
});
const countRecorded = statement({
  text: `SELECT count(*) FROM audit_log WHERE company_code IS NOT DISTINCT FROM :companyCode AND at > :since
       AND action = ANY (:actions)`,
  params: { actions: array(textOf<AuditAction>()), companyCode: nullable(text), since: timestamptz },
  row: { count: int8 },
});

/**
 * Counts the entries of some actions of a company (null: those without one) since an instant, to limit these actions. Other
 * transactions that count the same wait until this one ends.
 */
export async function countForLimit(
  tx: Queryable,
  counted: ValuesOf<(typeof countRecorded)['params']>,
): Promise<number> {
  await lockCount.run(tx, counted);
  return (await countRecorded.one(tx, counted)).count;
}

const allowDeletion = statement({
  text: `SELECT set_config('coverdesk.audit_days', :days, true)`,
  params: { days: text },
  row: { set_config: nullable(text) },
});
const deleteOld = statement({
  text: `DELETE FROM audit_log WHERE id = ANY (ARRAY(
       SELECT id FROM audit_log WHERE at < now() - make_interval(days => :days) ORDER BY at LIMIT :limit FOR UPDATE SKIP LOCKED))`,
  params: { days: int4, limit: int8 },
});

/**
 * Deletes up to `limit` entries that are older than so many days. Call it within a transaction.
 * @returns the number of deleted entries
 */
export async function deleteOldEntries(tx: Queryable, days: number, limit: number): Promise<number> {
  await allowDeletion.run(tx, { days: String(days) });
  return deleteOld.run(tx, { days, limit });
}
