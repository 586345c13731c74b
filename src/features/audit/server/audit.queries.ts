import type { AuditAction } from '#features/audit/audit.contract.ts';
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

/** What an entry tells of the thing before and after; never a secret. */
export type Values = Record<string, string | number | boolean | null>;

const entry = {
  id: int8,
  at: timestamptz,
  actor_id: nullable(int8),
  actor_email: nullable(text),
  address: nullable(text),
  action: textOf<AuditAction>(),
  object_type: text,
  object_id: nullable(text),
  company_code: nullable(text),
  before: nullable(jsonb<Values>()),
  after: nullable(jsonb<Values>()),
};

export type AuditRow = RowOf<typeof entry>;
export type NewEntry = Omit<AuditRow, 'id' | 'at'>;

const insert = statement({
  text: `INSERT INTO audit_log (actor_id, actor_email, address, action, object_type, object_id, company_code, before, after)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
});

export async function insertEntry(tx: Queryable, made: NewEntry): Promise<void> {
  await insert.run(tx, [
    made.actor_id,
    made.actor_email,
    made.address,
    made.action,
    made.object_type,
    made.object_id,
    made.company_code,
    made.before && JSON.stringify(made.before),
    made.after && JSON.stringify(made.after),
  ]);
}

/** What is looked for; days count in the time zone. */
export type EntrySearch = {
  actor?: string | undefined;
  action?: string | undefined;
  objectType?: string | undefined;
  objectId?: string | undefined;
  companyCode?: string | undefined;
  /** Instants; `before` itself no more. */
  since?: Date | undefined;
  until?: Date | undefined;
};

const found = `audit_log WHERE ($1::text IS NULL OR actor_id::text = $1 OR lower(actor_email) = lower($1))
     AND ($2::text IS NULL OR action = $2) AND ($3::text IS NULL OR object_type = $3)
     AND ($4::text IS NULL OR object_id = $4) AND ($5::text IS NULL OR company_code = $5)
     AND ($6::timestamptz IS NULL OR at >= $6) AND ($7::timestamptz IS NULL OR at < $7)`;

const listPage = statement({
  text: `SELECT ${listColumns(entry)} FROM ${found} ORDER BY at DESC, id DESC LIMIT $8 OFFSET $9`,
  row: entry,
});

/** One page of entries, newest first. */
export function listEntryPage(
  db: Queryable,
  search: EntrySearch,
  limit: number,
  offset: number,
): Promise<AuditRow[]> {
  return listPage.all(db, [...valuesOf(search), limit, offset]);
}

const count = statement({ text: `SELECT count(*) FROM ${found}`, row: { count: int8 } });

export async function countEntries(db: Queryable, search: EntrySearch): Promise<number> {
  return (await count.one(db, valuesOf(search))).count;
}

const listAll = statement({
  text: `SELECT ${listColumns(entry)} FROM ${found} ORDER BY at DESC, id DESC`,
  row: entry,
});

/** All entries, newest first, a batch at a time. */
export function readEntries(
  client: Queryable,
  search: EntrySearch,
  rowsAtOnce: number,
): AsyncGenerator<AuditRow[]> {
  return readBatches(client, listAll, valuesOf(search), rowsAtOnce);
}

function valuesOf({ actor, action, objectType, objectId, companyCode, since, until }: EntrySearch) {
  const given = [actor, action, objectType, objectId, companyCode, since, until];
  return given.map((value) => value ?? null);
}

const startOfDay = statement({
  text: `SELECT ($1::date + $2::integer)::timestamp AT TIME ZONE $3 AS at`,
  row: { at: nullable(timestamptz) },
});

/** The instant at which a day begins in a time zone, or the one so many days later. */
export async function findStartOfDay(
  db: Queryable,
  day: string,
  later: number,
  timeZone: string,
): Promise<Date | null> {
  return (await startOfDay.one(db, [day, later, timeZone])).at;
}

const allowDeletion = statement({
  text: `SELECT set_config('coverdesk.audit_days', $1, true)`,
  row: { set_config: nullable(text) },
});
const deleteOld = statement({
  text: `DELETE FROM audit_log WHERE id = ANY (ARRAY(
       SELECT id FROM audit_log WHERE at < now() - make_interval(days => $1) ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
});

/** Deletes the oldest entries from before so many days, a bounded number; how many. Only within a transaction. */
export async function deleteOldEntries(tx: Queryable, days: number, most: number): Promise<number> {
  await allowDeletion.run(tx, [String(days)]);
  return deleteOld.run(tx, [days, most]);
}
