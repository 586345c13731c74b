import type { AuditAction } from '#features/audit/audit-words.shared.ts';
import { record } from '#features/audit/server/audit.service.ts';
import type { CountCache } from '#server/concurrency/count-cache.ts';
import type { Db, Queryable } from '#server/db/db.ts';
import { type Caller, scopeOf } from '#server/http/caller.ts';
import { changeAs } from '#server/http/caller-rights.ts';
import { AppError, fill } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { dayIn } from '#shared/calendar-day.ts';
import { describePage } from '#shared/describe-page.ts';
import type { Paging } from '#shared/paging.ts';
import { m } from '#shared/texts/messages.js';
import type { View } from '../../views.contract.ts';
import { countDevices, listDeviceSerials } from '../devices.queries.ts';
import { hasFilteredKeys, requireKnownFilter } from '../fields/require-keys.ts';
import { readDeviceQuery, requireDeviceQuery } from '../read-device-query.ts';
import {
  countViews,
  deleteViewRow,
  findCompanyView,
  findView,
  insertView,
  listViewPage,
  lockView,
  updateViewRow,
  type ViewRow,
} from './views.queries.ts';

/** Each view is counted when its owner opens the list after a change of the register, so there are not more than a menu can show. */
const maxPerUser = 50;

type Settings = Pick<Context, 'config' | 'now'>;
type Fields = Pick<View, 'name' | 'query' | 'shared'>;

/**
 * Lists the views of a caller, and unless `counts` is 0 the number of devices that each finds. A view that filters by a removed
 * own column has none.
 */
export async function listViews(
  context: Settings & Pick<Context, 'db'>,
  cache: CountCache,
  caller: Caller,
  { page, limit, counts }: Paging & { counts: '0' | '1' },
) {
  const { db } = context;
  const scope = scopeOf(caller);
  const [rows, { count: total }] = await Promise.all([
    listViewPage.all(db, { userId: caller.id, scope, limit, offset: (page - 1) * limit }),
    countViews.one(db, { userId: caller.id, scope }),
  ]);
  const data: (View & { count?: number })[] = [];
  // One after the other, so that one caller keeps one connection.
  for (const row of rows) {
    const count = counts === '0' ? undefined : await countFound(context, cache, row);
    data.push({ ...describeView(row, caller), ...(count !== undefined && { count }) });
  }
  return { data, pagination: describePage(page, limit, total) };
}

/** Counts the devices that a view finds; undefined if it filters by a removed own column. */
async function countFound(
  context: Settings & Pick<Context, 'db'>,
  cache: CountCache,
  { company_code, query }: ViewRow,
): Promise<number | undefined> {
  const { db } = context;
  const scopedQuery = scopeViewQuery(context, company_code, query);
  const isKnown = await hasFilteredKeys(
    db,
    scopedQuery.scope ?? scopedQuery.company_code ?? null,
    scopedQuery.field,
  );
  return isKnown ? countDevices(db, scopedQuery, cache) : undefined;
}

/** @throws AppError 400 for an invalid query, 409 if the caller has too many */
export async function createView(db: Db, caller: Caller, { name, query, shared }: Fields): Promise<View> {
  const deviceQuery = requireDeviceQuery('query', query);
  const scope = scopeOf(caller);
  return changeAs(db, caller, async (tx) => {
    await requireKnownFilter(tx, scope ?? deviceQuery.company_code ?? null, deviceQuery, 'query');
    const fields = { owner_id: caller.id, company_code: scope, name, query, shared };
    const id = await insertView(tx, fields, maxPerUser);
    if (id === undefined) {
      throw new AppError(409, 'too_many_views', fill(m.server_views_too_many, { count: maxPerUser }));
    }
    await recordOf(tx, 'view.create', id, scope, null, { name, query, shared });
    return describeView({ ...fields, id, owner: caller.name }, caller);
  });
}

/**
 * Changes a view of the caller. Absent fields stay.
 * @throws AppError 400 for an invalid query, 403 for a colleague's view, 404 if the caller does not see it
 */
export async function updateView(
  db: Db,
  caller: Caller,
  id: number,
  change: { [Name in keyof Fields]?: Fields[Name] | undefined },
): Promise<View> {
  const deviceQuery = change.query === undefined ? undefined : requireDeviceQuery('query', change.query);
  return changeAs(db, caller, async (tx) => {
    const row = await requireLockedView(tx, caller, id);
    // An own column that a view filters by may be removed. The view can still be renamed.
    if (deviceQuery && change.query !== row.query)
      await requireKnownFilter(
        tx,
        row.company_code ?? deviceQuery.company_code ?? null,
        deviceQuery,
        'query',
      );
    const { name = row.name, query = row.query, shared = row.shared } = change;
    await updateViewRow.run(tx, { id: row.id, name, query, shared });
    await recordOf(tx, 'view.update', row.id, row.company_code, fieldsOf(row), { name, query, shared });
    return describeView({ ...row, name, query, shared }, caller);
  });
}

/** @throws AppError 403 for a colleague's view, 404 if the caller does not see it */
export async function deleteView(db: Db, caller: Caller, id: number): Promise<void> {
  await changeAs(db, caller, async (tx) => {
    const row = await requireLockedView(tx, caller, id);
    await deleteViewRow.run(tx, { id: row.id });
    await recordOf(tx, 'view.delete', row.id, row.company_code, fieldsOf(row), null);
  });
}

/**
 * Counts the devices of a company whose answers may still change, and lists the serials of the first `limit`.
 * @param viewId a view of that company, shared or not; null for all devices
 * @returns undefined if the company has no such view, or has removed an own column that the view filters by
 */
export async function listChangeableSerials(
  context: Settings & Pick<Context, 'db'>,
  companyCode: string,
  viewId: number | null,
  limit: number,
): Promise<{ count: number; serials: string[] } | undefined> {
  const { db } = context;
  const query = viewId === null ? '' : (await findCompanyView.first(db, { id: viewId, companyCode }))?.query;
  if (query === undefined) return;
  const scopedQuery = { ...scopeViewQuery(context, companyCode, query), changeable: true };
  if (!(await hasFilteredKeys(db, companyCode, scopedQuery.field))) return;
  return {
    count: await countDevices(db, scopedQuery),
    serials: limit > 0 ? await listDeviceSerials(db, scopedQuery, limit) : [],
  };
}

export async function findViewName(
  db: Db,
  caller: Caller,
  companyCode: string,
  id: number,
): Promise<string | undefined> {
  const view = await findView.first(db, { userId: caller.id, scope: scopeOf(caller), id });
  return view?.company_code === companyCode ? view.name : undefined;
}

/** Returns the name of a view of a company, shared or not, for the audit log; undefined if it is gone. */
export async function nameCompanyView(
  db: Queryable,
  companyCode: string,
  id: number,
): Promise<string | undefined> {
  return (await findCompanyView.first(db, { id, companyCode }))?.name;
}

/** The filters of a view, for the devices of its company. */
function scopeViewQuery({ config, now }: Settings, companyCode: string | null, query: string) {
  const timeZone = config.APP_TIMEZONE;
  return { ...readDeviceQuery(query), scope: companyCode, today: dayIn(timeZone, now()), timeZone };
}

async function requireLockedView(tx: Queryable, caller: Caller, id: number): Promise<ViewRow> {
  const row = await lockView.first(tx, { userId: caller.id, scope: scopeOf(caller), id });
  if (!row) {
    throw new AppError(404, 'view_not_found', m.server_view_not_found);
  }
  if (row.owner_id !== caller.id) {
    throw new AppError(403, 'not_owner', m.server_view_not_own);
  }
  return row;
}

function describeView({ id, owner_id, owner, company_code, ...row }: ViewRow, caller: Caller): View {
  const { name, query, shared } = row;
  return {
    _id: String(id),
    name,
    screen: 'devices',
    query,
    shared,
    company_code,
    own: owner_id === caller.id,
    owner,
  };
}

function fieldsOf({ name, query, shared }: ViewRow): Fields {
  return { name, query, shared };
}

function recordOf(
  tx: Queryable,
  action: AuditAction,
  id: number,
  companyCode: string | null,
  before: Fields | null,
  after: Fields | null,
): Promise<void> {
  return record(tx, { action, objectId: id, companyCode, before, after });
}
