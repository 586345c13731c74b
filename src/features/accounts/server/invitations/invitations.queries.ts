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

/** Lists one page of the invitations of a scope (null: all companies), newest first. */
export const listInvitationPage = statement({
  text: `SELECT ${columns}, (SELECT u.email FROM users u WHERE u.id = invited_by) AS inviter FROM invitations
     WHERE ${visible} ORDER BY id DESC LIMIT $2 OFFSET $3`,
  row: { ...invitation, inviter: nullable(text) },
}).allWith<[scope: string | null, limit: number, offset: number]>();

export const countInvitations = statement({
  text: `SELECT count(*) FROM invitations WHERE ${visible}`,
  row: { count: int8 },
}).valueWith<[scope: string | null]>();

/** Finds the company of an invitation of a scope (null: all companies), which never changes. */
export const findInvitationCompany = statement({
  text: `SELECT company_code FROM invitations WHERE id = $2 AND ${visible}`,
  row: { company_code: text },
}).firstValueWith<[scope: string | null, id: number]>();

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

/** Deletes an invitation of a scope (null: all companies); undefined when there is none. */
export const deleteInvitationRow = statement({
  text: `DELETE FROM invitations WHERE id = $2 AND ${visible} RETURNING ${columns}`,
  row: invitation,
}).firstWith<[scope: string | null, id: number]>();

export const deleteInvitationsOf = statement({
  text: `DELETE FROM invitations WHERE invited_by = $1 RETURNING ${columns}`,
  row: invitation,
}).allWith<[inviter: number]>();

/** Deletes the invitation of a person who became a user in another way. */
export const deleteInvitationOf = statement({
  text: 'DELETE FROM invitations WHERE lower(email) = lower($1)',
}).runWith<[email: string]>();

/** A link can be used before its end (`$2`), while the company is Active. */
const usable = `expires_at > $2 AND (SELECT c.active FROM clients c WHERE c.company_code = invitations.company_code)`;

/** Finds the usable invitation of a person. */
export const findInvitationOf = statement({
  text: `SELECT ${columns} FROM invitations WHERE lower(email) = lower($1) AND ${usable}`,
  row: invitation,
}).firstWith<[email: string, at: Date]>();

/** Deletes the usable invitation of a person, and returns it; undefined when there is none. */
export const takeInvitationOf = statement({
  text: `DELETE FROM invitations WHERE lower(email) = lower($1) AND ${usable} RETURNING ${columns}`,
  row: invitation,
}).firstWith<[email: string, at: Date]>();

/** Finds the invitation of a link that is usable at an instant. */
export const findInvitation = statement({
  text: `SELECT ${columns} FROM invitations WHERE token_hash = $1 AND ${usable}`,
  row: invitation,
}).firstWith<[tokenHash: Buffer, at: Date]>();

/** Uses up a link: deletes its invitation, and returns it if it was usable. */
export const takeInvitation = statement({
  text: `DELETE FROM invitations WHERE token_hash = $1 AND ${usable} RETURNING ${columns}`,
  row: invitation,
}).firstWith<[tokenHash: Buffer, at: Date]>();
