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
import type { UserQuestion } from '../../users.contract.ts';

const entry = {
  id: int8,
  email: text,
  first_name: text,
  last_name: text,
  company_code: nullable(text),
  role: textOf<Role>(),
  active: bool,
  last_login: nullable(timestamptz),
  created_at: timestamptz,
  second_factor: bool,
};
export type UserEntryRow = RowOf<typeof entry>;

/** All users with their latest sign-in. */
const entries = `(SELECT u.*, (SELECT max(k.seen_at) FROM known_addresses k WHERE k.user_id = u.id) AS last_login FROM users u) e`;

/** A superadmin belongs to no company's administrators. `$1`: the scope, null for all companies. */
const visible = `($1::text IS NULL OR company_code = $1 AND NOT superadmin)`;

const found = `${entries} WHERE ${visible} AND ($2::text IS NULL OR company_code = $2)
     AND ($3::text IS NULL OR role = $3) AND ($4::boolean IS NULL OR active = $4)
     AND ($6::boolean IS NULL OR second_factor = $6)
     AND ($5::text IS NULL OR strpos(lower(name), lower($5)) > 0 OR strpos(lower(email), lower($5)) > 0)`;

/** The filters of the list and the scope (null: all companies). */
export type AskedUsers = UserQuestion & { scope: string | null };

const flagOf = (text: 'true' | 'false' | undefined) => (text === undefined ? null : text === 'true');

function valuesOf({ scope, company_code, role, active, q, second_factor }: AskedUsers): unknown[] {
  return [scope, company_code ?? null, role ?? null, flagOf(active), q || null, flagOf(second_factor)];
}

const listPage = statement({
  text: `SELECT ${listColumns(entry)} FROM ${found} ORDER BY lower(name), id LIMIT $7 OFFSET $8`,
  row: entry,
});

export function listUserPage(db: Queryable, asked: AskedUsers, limit: number, offset: number) {
  return listPage.all(db, [...valuesOf(asked), limit, offset]);
}

const count = statement({ text: `SELECT count(*) FROM ${found}`, row: { count: int8 } });

export async function countUsers(db: Queryable, asked: AskedUsers): Promise<number> {
  return (await count.one(db, valuesOf(asked))).count;
}

/** Finds a user within a scope (null: all companies). */
export const findUserEntry = statement({
  text: `SELECT ${listColumns(entry)} FROM ${entries} WHERE ${visible} AND id = $2`,
  row: entry,
}).firstWith<[scope: string | null, id: number]>();

const update = statement({
  text: 'UPDATE users SET first_name = $2, last_name = $3, company_code = $4, role = $5, active = $6 WHERE id = $1',
});

type Changeable = Pick<UserEntryRow, 'first_name' | 'last_name' | 'company_code' | 'role' | 'active'>;

export async function updateUserRow(tx: Queryable, id: number, to: Changeable): Promise<void> {
  await update.run(tx, [id, to.first_name, to.last_name, to.company_code, to.role, to.active]);
}

/**
 * Ends every session of a locked user. @param nowSeconds the present second, read after locking
 * @returns the second from which tokens are accepted
 */
export const endSessions = statement({
  text: 'UPDATE users SET sessions_valid_from = greatest(sessions_valid_from, $2) + 1 WHERE id = $1 RETURNING sessions_valid_from',
  row: { sessions_valid_from: int8 },
}).valueWith<[id: number, nowSeconds: number]>();

const countOthers = statement({
  text: `SELECT count(*) FROM users WHERE role = 'superadmin' AND active AND id <> $1`,
  row: { count: int8 },
});

export async function hasOtherSuperadmin(tx: Queryable, id: number): Promise<boolean> {
  return (await countOthers.one(tx, [id])).count > 0;
}
