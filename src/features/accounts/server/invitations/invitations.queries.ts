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
  text: 'DELETE FROM invitations WHERE lower(email) = lower($1) AND company_code = $2 AND expires_at <= $3',
});
const insert = statement({
  text: `INSERT INTO invitations (token_hash, email, first_name, last_name, role, company_code, invited_by, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (lower(email), company_code) DO NOTHING RETURNING ${columns}`,
  row: invitation,
});

/** Inserts an invitation; undefined when the company has an open one for the email address. */
export async function insertInvitation(
  tx: Queryable,
  made: NewInvitation,
): Promise<InvitationRow | undefined> {
  await deleteExpired.run(tx, [made.email, made.company_code, made.created_at]);
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

/** Deletes a company's invitation of a person who became its user in another way. */
export const deleteInvitationOf = statement({
  text: 'DELETE FROM invitations WHERE lower(email) = lower($1) AND company_code = $2',
}).runWith<[email: string, companyCode: string]>();

/** Finds the names that an invitation is shown with: its company, and its inviter, who may be gone. */
export const findInvitationNames = statement({
  text: `SELECT c.company_name, u.name || ' (' || u.email || ')' AS inviter
     FROM invitations i JOIN clients c USING (company_code) LEFT JOIN users u ON u.id = i.invited_by WHERE i.id = $1`,
  row: { company_name: text, inviter: nullable(text) },
}).oneWith<[id: number]>();

/** A link can be used before its end (`$2`), while the company is Active. */
const usable = `expires_at > $2 AND (SELECT c.active FROM clients c WHERE c.company_code = invitations.company_code)`;

/** Lists the usable invitations of a person: at most one by each company. */
export const listInvitationsOf = statement({
  text: `SELECT ${columns} FROM invitations WHERE lower(email) = lower($1) AND ${usable} ORDER BY id`,
  row: invitation,
}).allWith<[email: string, at: Date]>();

/** Deletes an invitation that is still usable, and returns it; undefined when there is none. */
export const takeInvitationById = statement({
  text: `DELETE FROM invitations WHERE id = $1 AND ${usable} RETURNING ${columns}`,
  row: invitation,
}).firstWith<[id: number, at: Date]>();

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
