import { type Db, inTransaction, type Queryable } from '#server/db/db.ts';
import { type Caller, scopeOf } from '#server/http/caller.ts';
import { currentOrigin, type Origin } from '#server/http/origin.ts';
import type { Context } from '#server/runtime/context.ts';
import { describePage } from '#shared/describe-page.ts';
import type { Paging } from '#shared/paging.ts';
import type { AuditEntry, AuditQuery } from '../audit.contract.ts';
import type { AuditAction } from '../audit-words.shared.ts';
import {
  type AuditRow,
  countEntries,
  countForLimit,
  deleteOldEntries,
  insertEntry,
  listEntryPage,
  type NewValues,
} from './audit.queries.ts';

export { countForLimit };

/** Expired entries per transaction. */
const deletedAtOnce = 5000;

/** An action, its object, and the object before and after. Never a password, token or other secret. */
export type RecordedAction = {
  action: AuditAction;
  /** As the API's calls name the object: an id, a ticket number or a name. */
  objectId?: string | number | null;
  companyCode?: string | null;
  before?: NewValues | null;
  after?: NewValues | null;
};

/**
 * Records an action in the transaction that does it, so that neither is stored without the other.
 * @param origin the user, API token and address; those of the current request by default
 */
export async function record(
  tx: Queryable,
  recorded: RecordedAction,
  origin: Origin = currentOrigin(),
): Promise<void> {
  const { action, objectId = null, companyCode = null, before = null, after = null } = recorded;
  await insertEntry.run(tx, {
    actor_id: origin.actor?.id ?? null,
    actor_email: origin.actor?.email ?? null,
    token_id: origin.token?.id ?? null,
    token_name: origin.token?.name ?? null,
    address: origin.address,
    action,
    object_type: action.split('.')[0] ?? '',
    object_id: objectId === null ? null : String(objectId),
    company_code: companyCode,
    before,
    after,
  });
}

export async function listAudit(
  { db, config }: Context,
  reader: Caller,
  { page, limit, ...query }: AuditQuery & Paging,
) {
  const scopedQuery = { ...query, scope: scopeOf(reader) };
  const [rows, total] = await Promise.all([
    listEntryPage(db, scopedQuery, config.APP_TIMEZONE, limit, (page - 1) * limit),
    countEntries(db, scopedQuery, config.APP_TIMEZONE),
  ]);
  return { data: rows.map(describeEntry), pagination: describePage(page, limit, total) };
}

export function describeEntry(row: AuditRow): AuditEntry {
  const { id, at, actor_id, actor_email, actor_name, token_id, token_name, ...rest } = row;
  return {
    _id: String(id),
    at: at.toISOString(),
    actor: actor_id === null ? null : { _id: String(actor_id), email: actor_email ?? '', name: actor_name },
    token: token_id === null ? null : { _id: String(token_id), name: token_name ?? '' },
    ...rest,
  };
}

/** Deletes some entries older than so many days. @returns whether there may be more */
export async function deleteExpiredEntries(db: Db, days: number): Promise<boolean> {
  return (await inTransaction(db, (tx) => deleteOldEntries(tx, days, deletedAtOnce))) === deletedAtOnce;
}
