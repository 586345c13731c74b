import { bool, int8, nullable, type RowOf, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const viewRow = {
  id: int8,
  owner_id: int8,
  owner: text,
  company_code: nullable(text),
  name: text,
  query: text,
  shared: bool,
};
export type ViewRow = RowOf<typeof viewRow>;

const columns = `v.id, v.owner_id, u.name AS owner, v.company_code, v.name, v.query, v.shared`;

/** The views that a user of a company sees. The scope is null for superadmins, who see all shared ones. */
const visibleViews = `device_views v JOIN users u ON u.id = v.owner_id
  WHERE (v.owner_id = :userId AND v.company_code IS NOT DISTINCT FROM :scope::text
    OR v.shared AND (:scope::text IS NULL OR v.company_code = :scope))`;

export const listViewPage = statement({
  text: `SELECT ${columns} FROM ${visibleViews} ORDER BY lower(v.name), v.id LIMIT :limit OFFSET :offset`,
  params: { userId: int8, scope: nullable(text), limit: int8, offset: int8 },
  row: viewRow,
});

export const countViews = statement({
  text: `SELECT count(*) FROM ${visibleViews}`,
  params: { userId: int8, scope: nullable(text) },
  row: { count: int8 },
});

export const findView = statement({
  text: `SELECT ${columns} FROM ${visibleViews} AND v.id = :id`,
  params: { userId: int8, scope: nullable(text), id: int8 },
  row: viewRow,
});

/** Finds a view as `findView` does, and locks it until the transaction ends. */
export const lockView = statement({
  text: `SELECT ${columns} FROM ${visibleViews} AND v.id = :id FOR NO KEY UPDATE OF v`,
  params: { userId: int8, scope: nullable(text), id: int8 },
  row: viewRow,
});

/** Finds a view of a company, shared or not. */
export const findCompanyView = statement({
  text: 'SELECT name, query FROM device_views WHERE id = :id AND company_code = :companyCode',
  params: { id: int8, companyCode: text },
  row: { name: text, query: text },
});

const lockOwner = statement({
  text: `SELECT pg_advisory_xact_lock(hashtextextended('views of ' || :owner_id::bigint, 0))`,
  params: { owner_id: int8 },
});
const insert = statement({
  text: `INSERT INTO device_views (owner_id, company_code, name, query, shared)
     SELECT :owner_id, :company_code, :name, :query, :shared
     WHERE (SELECT count(*) FROM device_views WHERE owner_id = :owner_id) < :most RETURNING id`,
  params: { owner_id: int8, company_code: nullable(text), name: text, query: text, shared: bool, most: int8 },
  row: { id: int8 },
});

/** Inserts a view. Of two at once, the second counts the first. @returns its id; undefined if the owner has `most` already */
export async function insertView(
  tx: Queryable,
  view: Pick<ViewRow, 'owner_id' | 'company_code' | 'name' | 'query' | 'shared'>,
  most: number,
): Promise<number | undefined> {
  const { owner_id, company_code, name, query, shared } = view;
  await lockOwner.run(tx, { owner_id });
  return (await insert.first(tx, { owner_id, company_code, name, query, shared, most }))?.id;
}

export const updateViewRow = statement({
  text: 'UPDATE device_views SET name = :name, query = :query, shared = :shared WHERE id = :id',
  params: { id: int8, name: text, query: text, shared: bool },
});

export const deleteViewRow = statement({
  text: 'DELETE FROM device_views WHERE id = :id',
  params: { id: int8 },
});
