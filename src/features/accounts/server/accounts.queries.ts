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
import type { Caller } from '#server/http/caller.ts';
import type { Role } from '#shared/role.ts';

const identity = {
  id: int8,
  email: text,
  name: text,
  role: textOf<Role>(),
  superadmin: bool,
  active: bool,
  new_user: bool,
  second_factor: bool,
  company_code: nullable(text),
  sessions_valid_from: int8,
};
const user = {
  ...identity,
  first_name: text,
  last_name: text,
  password_hash: text,
  created_at: timestamptz,
};
const columns = listColumns(user);

export type UserRow = RowOf<typeof user>;

const findIdentity = statement({
  name: 'find-caller',
  text: `SELECT ${listColumns(identity)} FROM users WHERE id = $1`,
  row: identity,
});

/** The user of a token. Tokens issued before `sessionsValidFrom` (seconds) are no longer accepted. */
export type FoundCaller = {
  caller: Omit<Caller, 'issuedAt' | 'secondFactorDue'>;
  hasSecondFactor: boolean;
  sessionsValidFrom: number;
};

export async function findCaller(db: Queryable, userId: number): Promise<FoundCaller | undefined> {
  const found = await findIdentity.first(db, [userId]);
  if (!found?.active) return undefined;
  const { id, email, name, role, superadmin, new_user, company_code, sessions_valid_from } = found;
  return {
    caller: { id, email, name, role, superadmin, newUser: new_user, companyCode: company_code },
    hasSecondFactor: found.second_factor,
    sessionsValidFrom: sessions_valid_from,
  };
}

export const findUserByEmail = statement({
  text: `SELECT ${columns} FROM users WHERE lower(email) = lower($1)`,
  row: user,
}).firstWith<[email: string]>();

export const findUserById = statement({
  text: `SELECT ${columns} FROM users WHERE id = $1`,
  row: user,
}).firstWith<[id: number]>();

/** Locks a user against password changes until the transaction ends; undefined when it does not exist. */
export const lockUser = statement({
  text: `SELECT ${columns} FROM users WHERE id = $1 FOR SHARE`,
  row: user,
}).firstWith<[id: number]>();

/** Locks a user against password changes and sign-ins until the transaction ends; undefined when it does not exist. */
export const lockUserForChange = statement({
  text: `SELECT ${columns} FROM users WHERE id = $1 FOR NO KEY UPDATE`,
  row: user,
}).firstWith<[id: number]>();

export type NewUser = Pick<
  UserRow,
  'first_name' | 'last_name' | 'email' | 'password_hash' | 'role' | 'new_user' | 'company_code'
>;

const insert = statement({
  text: `INSERT INTO users (first_name, last_name, email, password_hash, role, new_user, company_code)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (lower(email)) DO NOTHING RETURNING ${columns}`,
  row: user,
});

/** Inserts a user; undefined when the email address is taken. */
export function insertUser(tx: Queryable, created: NewUser): Promise<UserRow | undefined> {
  const { first_name, last_name, email, password_hash, role, new_user, company_code } = created;
  return insert.first(tx, [first_name, last_name, email, password_hash, role, new_user, company_code]);
}

/**
 * Sets a password, and ends the first-password state and every session. Only tokens from the next second on are
 * accepted, so a token issued within this second ends as well.
 * @param userId a user locked by `lockUserForChange`
 * @param nowSeconds the present second, read after locking: no sign-in issues a token between the two
 */
export const setPassword = statement({
  text: `UPDATE users SET password_hash = $2, new_user = false,
       sessions_valid_from = greatest(sessions_valid_from, $3) + 1
     WHERE id = $1 RETURNING ${columns}`,
  row: user,
}).oneWith<[userId: number, passwordHash: string, nowSeconds: number]>();

/** Makes a user change the password at the next sign-in. @param userId a user locked by `lockUserForChange` */
export const requirePasswordChange = statement({
  text: 'UPDATE users SET new_user = true WHERE id = $1',
}).runWith<[userId: number]>();

/** Replaces the hash of a password, unless the password has changed since. No session ends. */
export const replaceHash = statement({
  text: 'UPDATE users SET password_hash = $2 WHERE id = $1 AND password_hash = $3',
}).runWith<[userId: number, hash: string, former: string]>();

/** Locks roles and states of users against other changes by administrators until the transaction ends. */
export const lockUsers = statement({ text: `SELECT pg_advisory_xact_lock(hashtext('users'))` }).runWith();

const findSuperadmin = statement({ text: 'SELECT FROM users WHERE superadmin LIMIT 1' });

/** Returns whether there is a superadmin. Concurrent calls wait until the caller's transaction ends. */
export async function findAnySuperadmin(tx: Queryable): Promise<boolean> {
  await lockUsers(tx);
  return (await findSuperadmin.run(tx)) !== 0;
}

const findStandardUser = statement({ text: 'SELECT FROM users WHERE NOT superadmin LIMIT 1' });

export async function findAnyStandardUser(db: Queryable): Promise<boolean> {
  return (await findStandardUser.run(db)) !== 0;
}
