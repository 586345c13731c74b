import { type Db, inTransaction, type Queryable } from '#server/db/db.ts';
import { currentOrigin, type Origin } from '#server/http/origin.ts';
import type { Context } from '#server/runtime/context.ts';
import { describePage } from '#shared/describe-page.ts';
import type { AuditAction, AuditEntry, AuditFilter } from '../audit.contract.ts';
import {
  type AuditRow,
  countEntries,
  deleteOldEntries,
  type EntrySearch,
  findStartOfDay,
  insertEntry,
  listEntryPage,
  type Values,
} from './audit.queries.ts';

/** Entries per transaction of the cleaning. */
const deletedAtOnce = 5000;

/** What happened, to what, and what it was like before and after: never a password, token or other secret. */
export type RecordedAction = {
  action: AuditAction;
  /** As the API's calls name it: an id, a ticket's number where they take that, a name. */
  objectId?: string | number | null;
  companyCode?: string | null;
  before?: Values | null;
  after?: Values | null;
};

/**
 * Records an action in the transaction that does it, so that neither is stored without the other.
 * @param origin who did it; whoever makes the present request unless said
 */
export async function record(
  tx: Queryable,
  recorded: RecordedAction,
  origin: Origin = currentOrigin(),
): Promise<void> {
  const { action, objectId = null, companyCode = null, before = null, after = null } = recorded;
  await insertEntry(tx, {
    actor_id: origin.actor?.id ?? null,
    actor_email: origin.actor?.email ?? null,
    address: origin.address,
    action,
    object_type: action.split('.')[0] ?? '',
    object_id: objectId === null ? null : String(objectId),
    company_code: companyCode,
    before,
    after,
  });
}

/** One page of entries, newest first. */
export async function listAudit(
  { db, config }: Context,
  { page, limit, ...filter }: AuditFilter & { page: number; limit: number },
) {
  const search = await searchOf(db, filter, config.APP_TIMEZONE);
  const [rows, total] = await Promise.all([
    listEntryPage(db, search, limit, (page - 1) * limit),
    countEntries(db, search),
  ]);
  return { data: rows.map(describeEntry), pagination: describePage(page, limit, total) };
}

/** An entry as it is answered. */
export function describeEntry(row: AuditRow): AuditEntry {
  const { id, at, actor_id, actor_email, ...rest } = row;
  return {
    _id: String(id),
    at: at.toISOString(),
    actor: actor_id === null ? null : { _id: String(actor_id), email: actor_email ?? '' },
    ...rest,
  };
}

/** What a filter looks for: whole days in the time zone, or instants, both ends included. */
export async function searchOf(db: Db, filter: AuditFilter, timeZone: string): Promise<EntrySearch> {
  const instantOf = async (text: string | undefined, end: boolean) => {
    if (text === undefined) return undefined;
    if (!text.includes('T')) return (await findStartOfDay(db, text, end ? 1 : 0, timeZone)) ?? undefined;
    // Entries have more digits than a millisecond's; one of that very millisecond counts.
    return new Date(new Date(text).getTime() + (end ? 1 : 0));
  };
  return {
    actor: filter.actor,
    action: filter.action,
    objectType: filter.object_type,
    objectId: filter.object_id,
    companyCode: filter.company_code,
    since: await instantOf(filter.from, false),
    until: await instantOf(filter.to, true),
  };
}

/** Deletes what is older than the log is kept. */
export async function deleteExpiredEntries(db: Db, days: number): Promise<void> {
  while ((await inTransaction(db, (tx) => deleteOldEntries(tx, days, deletedAtOnce))) === deletedAtOnce);
}
