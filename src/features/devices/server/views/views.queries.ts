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

/** The views that the user `$1` of the company `$2` sees. `$2` is null for superadmins, who see all shared ones. */
const visibleViews = `device_views v JOIN users u ON u.id = v.owner_id
  WHERE (v.owner_id = $1 AND v.company_code IS NOT DISTINCT FROM $2::text
    OR v.shared AND ($2::text IS NULL OR v.company_code = $2))`;

export const listViewPage = statement({
  text: `SELECT ${columns} FROM ${visibleViews} ORDER BY lower(v.name), v.id LIMIT $3 OFFSET $4`,
  row: viewRow,
}).allWith<[userId: number, scope: string | null, limit: number, offset: number]>();

export const countViews = statement({
  text: `SELECT count(*) FROM ${visibleViews}`,
  row: { count: int8 },
}).valueWith<[userId: number, scope: string | null]>();

export const findView = statement({
  text: `SELECT ${columns} FROM ${visibleViews} AND v.id = $3`,
  row: viewRow,
}).firstWith<[userId: number, scope: string | null, id: number]>();

/** Finds a view as `findView` does, and locks it until the transaction ends. */
export const lockView = statement({
  text: `SELECT ${columns} FROM ${visibleViews} AND v.id = $3 FOR NO KEY UPDATE OF v`,
  row: viewRow,
}).firstWith<[userId: number, scope: string | null, id: number]>();

/** Finds the query of a view of a company, shared or not. */
export const findCompanyViewQuery = statement({
  text: 'SELECT query FROM device_views WHERE id = $1 AND company_code = $2',
  row: { query: text },
}).firstValueWith<[id: number, companyCode: string]>();

const lockOwner = statement({
  text: `SELECT pg_advisory_xact_lock(hashtextextended('views of ' || $1::bigint, 0))`,
});
const insert = statement({
  text: `INSERT INTO device_views (owner_id, company_code, name, query, shared)
     SELECT $1, $2, $3, $4, $5 WHERE (SELECT count(*) FROM device_views WHERE owner_id = $1) < $6 RETURNING id`,
  row: { id: int8 },
});

/** Inserts a view. Of two at once, the second counts the first. @returns its id; undefined if the owner has `most` already */
export async function insertView(
  tx: Queryable,
  view: Pick<ViewRow, 'owner_id' | 'company_code' | 'name' | 'query' | 'shared'>,
  most: number,
): Promise<number | undefined> {
  const { owner_id, company_code, name, query, shared } = view;
  await lockOwner.run(tx, [owner_id]);
  return (await insert.first(tx, [owner_id, company_code, name, query, shared, most]))?.id;
}

export const updateViewRow = statement({
  text: 'UPDATE device_views SET name = $2, query = $3, shared = $4 WHERE id = $1',
}).runWith<[id: number, name: string, query: string, shared: boolean]>();

export const deleteViewRow = statement({ text: 'DELETE FROM device_views WHERE id = $1' }).runWith<
  [id: number]
>();
