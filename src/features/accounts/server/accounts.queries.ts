import type { Kysely, Selectable } from 'kysely';
import type { Caller } from '#server/caller.ts';
import type { Queryable } from '#server/db.ts';
import type { Schema } from '#server/schema.ts';

/** The user behind a token, and the second before which its tokens are no longer believed. */
export async function findCaller(
  db: Kysely<Schema>,
  id: number,
): Promise<{ caller: Caller; sessionsValidFrom: number } | undefined> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'superadmin', 'new_user', 'company_code', 'sessions_valid_from'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    caller: {
      id: row.id,
      email: row.email,
      name: row.name,
      superadmin: row.superadmin,
      newUser: row.new_user,
      companyCode: row.company_code,
    },
    sessionsValidFrom: row.sessions_valid_from,
  };
}

export type UserRow = Selectable<Schema['users']>;

/** The user of an email address, which compares without case. */
export function findUserByEmail(db: Kysely<Schema>, email: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where((eb) => eb.fn('lower', ['email']), '=', email.toLowerCase())
    .executeTakeFirst();
}

export function findUserById(db: Kysely<Schema>, id: number): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

export type NewUser = {
  name: string;
  email: string;
  passwordHash: string;
  superadmin: boolean;
  newUser: boolean;
  companyCode: string | null;
};

/** Inserts a user; undefined when the email address is taken. */
export async function insertUser(tx: Queryable, user: NewUser): Promise<UserRow | undefined> {
  const { rows } = await tx.query<UserRow>(
    `INSERT INTO users (name, email, password_hash, superadmin, new_user, company_code)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (lower(email)) DO NOTHING RETURNING *`,
    [user.name, user.email, user.passwordHash, user.superadmin, user.newUser, user.companyCode],
  );
  return rows[0];
}

/**
 * Sets a password, ends the first-password state, and every session from before: tokens are believed only from the
 * next second on, so that one issued within this second ends as well.
 * @param nowSeconds the present second
 * @param expectedHash where given, only while the user still has this password
 * @returns undefined when the user is not there, or has another password by now
 */
export async function setPassword(
  tx: Queryable,
  userId: number,
  passwordHash: string,
  nowSeconds: number,
  expectedHash?: string,
): Promise<UserRow | undefined> {
  const { rows } = await tx.query<UserRow>(
    `UPDATE users SET password_hash = $2, new_user = false,
       sessions_valid_from = greatest(sessions_valid_from, $3) + 1
     WHERE id = $1 AND ($4::text IS NULL OR password_hash = $4) RETURNING *`,
    [userId, passwordHash, nowSeconds, expectedHash ?? null],
  );
  return rows[0];
}

/** Whether there is a superadmin; concurrent askers wait until the caller's transaction ends. */
export async function findAnySuperadmin(tx: Queryable): Promise<boolean> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtext('first superadmin'))");
  const { rowCount } = await tx.query('SELECT FROM users WHERE superadmin LIMIT 1');
  return rowCount !== 0;
}
