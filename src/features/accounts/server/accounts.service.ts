import { record } from '#features/audit/server/audit.service.ts';
import { requireActiveCompany } from '#features/clients/server/clients.service.ts';
import { type Db, inTransaction, type Queryable } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { requireSession } from '#server/http/caller-rights.ts';
import { ConfigError } from '#server/runtime/config.ts';
import { findAnyStandardUser, findAnySuperadmin, insertUser, type UserRow } from './accounts.queries.ts';
import { emailTaken } from './email-taken.ts';
import { deleteInvitationOf } from './invitations/invitations.queries.ts';
import { isCommonPassword, requireUncommonPassword } from './passwords/common-passwords.ts';
import { generatePassword, hashPassword } from './passwords/passwords.ts';

export { findAnyStandardUser };

export type UserOrder = {
  name: string;
  email: string;
  password: string;
  superadmin: boolean;
  /** Whether the user must change this password before any other call. */
  newUser: boolean;
  companyCode: string;
};

/** Splits a whole name: its last word is the last name. A single word is a first name. */
function splitName(name: string): { first_name: string; last_name: string } {
  const space = name.lastIndexOf(' ');
  if (space === -1) return { first_name: name, last_name: '' };
  return { first_name: name.slice(0, space), last_name: name.slice(space + 1) };
}

export function describeUser(row: UserRow) {
  return {
    _id: String(row.id),
    name: row.name,
    email: row.email,
    superadmin: row.superadmin ? ('1' as const) : ('0' as const),
    new_user: row.new_user ? ('1' as const) : ('0' as const),
    company_code: row.company_code,
  };
}

/**
 * Creates a user of an Active company.
 * @param registeredBy the caller, whose session must still be valid when the user is stored; undefined for the product
 * @throws AppError 400 naming `company_code` or `password`, 401, 409 when the email address is taken
 */
export async function createUser(db: Db, order: UserOrder, registeredBy?: Caller): Promise<UserRow> {
  const { email, password, name, superadmin, newUser: new_user, companyCode: company_code } = order;
  requireUncommonPassword('password', password);
  const password_hash = await hashPassword(password);
  return inTransaction(db, async (tx) => {
    await requireActiveCompany(tx, company_code);
    // Caller, invitation, user: other calls lock them in this order, too. Another one leads to deadlocks.
    if (registeredBy) await requireSession(tx, registeredBy);
    await deleteInvitationOf.run(tx, { email, companyCode: company_code });
    const row = await insertUser.first(tx, {
      ...splitName(name),
      email,
      role: superadmin ? 'superadmin' : 'user',
      password_hash,
      new_user,
      company_code,
    });
    if (!row) throw emailTaken();
    await recordRegistration(tx, row);
    return row;
  });
}

async function recordRegistration(tx: Queryable, row: UserRow): Promise<void> {
  const { _id, ...after } = describeUser(row);
  await record(tx, { action: 'user.register', objectId: _id, companyCode: row.company_code, after });
}

/**
 * Creates the first superadmin, if there is none (docs/rules.md, Accounts). A generated password must be changed at the
 * first sign-in.
 * @throws ConfigError when the given password is a common one
 * @returns undefined if there was a superadmin; otherwise the email address, and the password if it was generated
 */
export async function createFirstSuperadmin(
  db: Db,
  admin: { email: string; password?: string | undefined },
): Promise<{ email: string; generatedPassword: string | undefined } | undefined> {
  const generatedPassword = admin.password === undefined ? generatePassword() : undefined;
  return inTransaction(db, async (tx) => {
    if (await findAnySuperadmin(tx)) return undefined;
    if (admin.password !== undefined && isCommonPassword(admin.password)) {
      throw new ConfigError(['ADMIN_PASSWORD takes a password that is not a common one']);
    }
    const row = await insertUser.first(tx, {
      ...splitName('Administrator'),
      email: admin.email,
      password_hash: await hashPassword(admin.password ?? generatedPassword ?? ''),
      role: 'superadmin',
      new_user: generatedPassword !== undefined,
      company_code: null,
    });
    if (!row) throw new Error(`ADMIN_EMAIL ${admin.email} belongs to a user who is not a superadmin`);
    await recordRegistration(tx, row);
    return { email: row.email, generatedPassword };
  });
}
