import {
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

const invitation = {
  id: int8,
  email: text,
  first_name: text,
  last_name: text,
  role: textOf<Role>(),
  company_code: text,
  invited_by: nullable(int8),
  created_at: timestamptz,
  expires_at: timestamptz,
};
const columns = listColumns(invitation);
export type InvitationRow = RowOf<typeof invitation>;

export type NewInvitation = Omit<InvitationRow, 'id'> & { tokenHash: Buffer };

// An expired invitation does not keep others from inviting.
const deleteExpired = statement({
  text: 'DELETE FROM invitations WHERE lower(email) = lower($1) AND expires_at <= $2',
});
const insert = statement({
  text: `INSERT INTO invitations (token_hash, email, first_name, last_name, role, company_code, invited_by, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (lower(email)) DO NOTHING RETURNING ${columns}`,
  row: invitation,
});

/** Inserts an invitation; undefined when an open one has the email address. */
export async function insertInvitation(
  tx: Queryable,
  made: NewInvitation,
): Promise<InvitationRow | undefined> {
  await deleteExpired.run(tx, [made.email, made.created_at]);
  const { tokenHash, email, first_name, last_name, role, company_code, invited_by, created_at, expires_at } =
    made;
  return insert.first(tx, [
    tokenHash,
    email,
    first_name,
    last_name,
    role,
    company_code,
    invited_by,
    created_at,
    expires_at,
  ]);
}

/** `$1`: the scope, null for all companies. Only superadmins see who shall be one. */
const visible = `($1::text IS NULL OR company_code = $1 AND role <> 'superadmin')`;

const listPage = statement({
  text: `SELECT ${columns}, (SELECT u.email FROM users u WHERE u.id = invited_by) AS inviter FROM invitations
     WHERE ${visible} ORDER BY id DESC LIMIT $2 OFFSET $3`,
  row: { ...invitation, inviter: nullable(text) },
});

/** Lists one page of the invitations of a scope (null: all companies), newest first. */
export function listInvitationPage(db: Queryable, scope: string | null, limit: number, offset: number) {
  return listPage.all(db, [scope, limit, offset]);
}

const count = statement({
  text: `SELECT count(*) FROM invitations WHERE ${visible}`,
  row: { count: int8 },
});

export async function countInvitations(db: Queryable, scope: string | null): Promise<number> {
  return (await count.one(db, [scope])).count;
}

const findCompany = statement({
  text: `SELECT company_code FROM invitations WHERE id = $2 AND ${visible}`,
  row: { company_code: text },
});

/** Finds the company of an invitation of a scope (null: all companies), which never changes. */
export async function findInvitationCompany(
  tx: Queryable,
  id: number,
  scope: string | null,
): Promise<string | undefined> {
  return (await findCompany.first(tx, [scope, id]))?.company_code;
}

const renew = statement({
  text: `UPDATE invitations SET token_hash = $3, expires_at = $4
     WHERE id = $2 AND ${visible} RETURNING ${columns}`,
  row: invitation,
});

/** Gives an invitation of a scope (null: all companies) a new token and end; undefined when there is none. */
export function renewInvitation(
  tx: Queryable,
  {
    id,
    scope,
    tokenHash,
    expiresAt,
  }: { id: number; scope: string | null; tokenHash: Buffer; expiresAt: Date },
): Promise<InvitationRow | undefined> {
  return renew.first(tx, [scope, id, tokenHash, expiresAt]);
}

const deleteOne = statement({
  text: `DELETE FROM invitations WHERE id = $2 AND ${visible} RETURNING ${columns}`,
  row: invitation,
});

/** Deletes an invitation of a scope (null: all companies); undefined when there is none. */
export function deleteInvitationRow(
  tx: Queryable,
  id: number,
  scope: string | null,
): Promise<InvitationRow | undefined> {
  return deleteOne.first(tx, [scope, id]);
}

const deleteOfInviter = statement({
  text: `DELETE FROM invitations WHERE invited_by = $1 RETURNING ${columns}`,
  row: invitation,
});

/** Deletes the invitations that a user has made, and returns them. */
export function deleteInvitationsOf(tx: Queryable, inviter: number): Promise<InvitationRow[]> {
  return deleteOfInviter.all(tx, [inviter]);
}

const deleteOfEmail = statement({ text: 'DELETE FROM invitations WHERE lower(email) = lower($1)' });

/** Deletes the invitation of a person who became a user in another way. */
export async function deleteInvitationOf(tx: Queryable, email: string): Promise<void> {
  await deleteOfEmail.run(tx, [email]);
}

/** A link can be used before its end (`$2`), while the company is Active. */
const usable = `expires_at > $2 AND (SELECT c.active FROM clients c WHERE c.company_code = invitations.company_code)`;

const findOfEmail = statement({
  text: `SELECT ${columns} FROM invitations WHERE lower(email) = lower($1) AND ${usable}`,
  row: invitation,
});

/** Finds the usable invitation of a person. */
export function findInvitationOf(tx: Queryable, email: string, at: Date): Promise<InvitationRow | undefined> {
  return findOfEmail.first(tx, [email, at]);
}

const takeOfEmail = statement({
  text: `DELETE FROM invitations WHERE lower(email) = lower($1) AND ${usable} RETURNING ${columns}`,
  row: invitation,
});

/** Deletes the usable invitation of a person, and returns it; undefined when there is none. */
export function takeInvitationOf(tx: Queryable, email: string, at: Date): Promise<InvitationRow | undefined> {
  return takeOfEmail.first(tx, [email, at]);
}

const findUsable = statement({
  text: `SELECT ${columns} FROM invitations WHERE token_hash = $1 AND ${usable}`,
  row: invitation,
});

/** Finds the invitation of a link that is usable at an instant. */
export function findInvitation(
  db: Queryable,
  tokenHash: Buffer,
  at: Date,
): Promise<InvitationRow | undefined> {
  return findUsable.first(db, [tokenHash, at]);
}

const take = statement({
  text: `DELETE FROM invitations WHERE token_hash = $1 AND ${usable} RETURNING ${columns}`,
  row: invitation,
});

/** Uses up a link: deletes its invitation, and returns it if it was usable. */
export function takeInvitation(
  tx: Queryable,
  tokenHash: Buffer,
  at: Date,
): Promise<InvitationRow | undefined> {
  return take.first(tx, [tokenHash, at]);
}
