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
  text: `SELECT ${listColumns(identity)} FROM users WHERE id = :userId`,
  params: { userId: int8 },
  row: identity,
});

/** The user of a token. Tokens issued before `sessionsValidFrom` (seconds) are no longer accepted. */
export type CallerRecord = {
  caller: Omit<Caller, 'issuedAt' | 'secondFactorDue'>;
  hasSecondFactor: boolean;
  sessionsValidFrom: number;
};

export async function findCaller(db: Queryable, userId: number): Promise<CallerRecord | undefined> {
  const row = await findIdentity.first(db, { userId });
  if (!row?.active) return undefined;
  const { id, email, name, role, superadmin, new_user, company_code, sessions_valid_from } = row;
  return {
    caller: { id, email, name, role, superadmin, newUser: new_user, companyCode: company_code },
    hasSecondFactor: row.second_factor,
    sessionsValidFrom: sessions_valid_from,
  };
}

export const findUserByEmail = statement({
  text: `SELECT ${columns} FROM users WHERE lower(email) = lower(:email)`,
  params: { email: text },
  row: user,
});

export const findUserById = statement({
  text: `SELECT ${columns} FROM users WHERE id = :id`,
  params: { id: int8 },
  row: user,
});

/** Locks a user against password changes until the transaction ends; undefined when it does not exist. */
export const lockUser = statement({
  text: `SELECT ${columns} FROM users WHERE id = :id FOR SHARE`,
  params: { id: int8 },
  row: user,
});

/** Locks a user against password changes and sign-ins until the transaction ends; undefined when it does not exist. */
export const lockUserForChange = statement({
  text: `SELECT ${columns} FROM users WHERE id = :id FOR NO KEY UPDATE`,
  params: { id: int8 },
  row: user,
});

export type NewUser = Pick<
  UserRow,
  'first_name' | 'last_name' | 'email' | 'password_hash' | 'role' | 'new_user' | 'company_code'
>;

/** Inserts a user; undefined when the email address is taken. */
export const insertUser = statement({
  text: `INSERT INTO users (first_name, last_name, email, password_hash, role, new_user, company_code)
     VALUES (:first_name, :last_name, :email, :password_hash, :role, :new_user, :company_code)
     ON CONFLICT (lower(email)) DO NOTHING RETURNING ${columns}`,
  params: {
    first_name: text,
    last_name: text,
    email: text,
    password_hash: text,
    role: textOf<Role>(),
    new_user: bool,
    company_code: nullable(text),
  },
  row: user,
});

/**
 * Sets a password, and ends the first-password state and every session. Only tokens from the next second on are
 * accepted, so a token issued within this second ends as well.
 * @param userId a user locked by `lockUserForChange`
 * @param nowSeconds the present second, read after locking: no sign-in issues a token between the two
 */
export const setPassword = statement({
  text: `UPDATE users SET password_hash = :passwordHash, new_user = false,
       sessions_valid_from = greatest(sessions_valid_from, :nowSeconds) + 1
     WHERE id = :userId RETURNING ${columns}`,
  params: { userId: int8, passwordHash: text, nowSeconds: int8 },
  row: user,
});

/** Makes a user change the password at the next sign-in. @param userId a user locked by `lockUserForChange` */
export const requirePasswordChange = statement({
  text: 'UPDATE users SET new_user = true WHERE id = :userId',
  params: { userId: int8 },
});

/** Replaces the hash of a password, unless the password has changed since. No session ends. */
export const replaceHash = statement({
  text: 'UPDATE users SET password_hash = :hash WHERE id = :userId AND password_hash = :former',
  params: { userId: int8, hash: text, former: text },
});

/** Locks roles and states of users against other changes by administrators until the transaction ends. */
export const lockUsers = statement({ text: `SELECT pg_advisory_xact_lock(hashtext('users'))` });

const findSuperadmin = statement({ text: 'SELECT FROM users WHERE superadmin LIMIT 1' });

/** Returns whether there is a superadmin. Concurrent calls wait until the caller's transaction ends. */
export async function findAnySuperadmin(tx: Queryable): Promise<boolean> {
  await lockUsers.run(tx);
  return (await findSuperadmin.run(tx)) !== 0;
}

const findStandardUser = statement({ text: 'SELECT FROM users WHERE NOT superadmin LIMIT 1' });

export async function findAnyStandardUser(db: Queryable): Promise<boolean> {
  return (await findStandardUser.run(db)) !== 0;
}
