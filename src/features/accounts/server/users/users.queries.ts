import {
  bool,
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
import type { Role } from '#shared/role.ts';

const changeable = {
  first_name: text,
  last_name: text,
  company_code: nullable(text),
  role: textOf<Role>(),
  active: bool,
};
const entry = {
  id: int8,
  email: text,
  ...changeable,
  last_login: nullable(timestamptz),
  created_at: timestamptz,
  second_factor: bool,
};
export type UserEntryRow = RowOf<typeof entry>;

/** All users with their latest sign-in. */
const entries = `(SELECT u.*, (SELECT max(k.seen_at) FROM known_addresses k WHERE k.user_id = u.id) AS last_login FROM users u) e`;

/** A superadmin belongs to no company's administrators. The scope is null for all companies. */
const visible = `(:scope::text IS NULL OR company_code = :scope AND NOT superadmin)`;

const matchingUsers = `${entries} WHERE ${visible} AND (:company_code::text IS NULL OR company_code = :company_code)
     AND (:role::text IS NULL OR role = :role) AND (:active::boolean IS NULL OR active = :active)
     AND (:second_factor::boolean IS NULL OR second_factor = :second_factor)
     AND (:q::text IS NULL OR strpos(lower(name), lower(:q)) > 0 OR strpos(lower(email), lower(:q)) > 0)`;
/** A missing filter filters nothing. */
const filters = {
  scope: nullable(text),
  company_code: nullable(text),
  role: nullable(textOf<Role>()),
  active: nullable(bool),
  second_factor: nullable(bool),
  q: nullable(text),
};

/** Lists a page of the users that pass the filters, by name. */
export const listUserPage = statement({
  text: `SELECT ${listColumns(entry)} FROM ${matchingUsers} ORDER BY lower(name), id LIMIT :limit OFFSET :offset`,
  params: { ...filters, limit: int8, offset: int8 },
  row: entry,
});

/** Counts the users that pass the filters. */
export const countUsers = statement({
  text: `SELECT count(*) FROM ${matchingUsers}`,
  params: filters,
  row: { count: int8 },
});

/** Finds a user within a scope (null: all companies). */
export const findUserEntry = statement({
  text: `SELECT ${listColumns(entry)} FROM ${entries} WHERE ${visible} AND id = :id`,
  params: { scope: nullable(text), id: int8 },
  row: entry,
});

export const updateUserRow = statement({
  text: `UPDATE users SET first_name = :first_name, last_name = :last_name, company_code = :company_code,
       role = :role, active = :active WHERE id = :id`,
  params: { id: int8, ...changeable },
});

/**
 * Ends every session of a locked user. @param nowSeconds the present second, read after locking
 * @returns the second from which tokens are accepted
 */
export const endSessions = statement({
  text: `UPDATE users SET sessions_valid_from = greatest(sessions_valid_from, :nowSeconds) + 1 WHERE id = :id
       RETURNING sessions_valid_from`,
  params: { id: int8, nowSeconds: int8 },
  row: { sessions_valid_from: int8 },
});

const countOthers = statement({
  text: `SELECT count(*) FROM users WHERE role = 'superadmin' AND active AND id <> :id`,
  params: { id: int8 },
  row: { count: int8 },
});

export async function hasOtherSuperadmin(tx: Queryable, id: number): Promise<boolean> {
  return (await countOthers.one(tx, { id })).count > 0;
}
