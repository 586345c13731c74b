import {
  bytea,
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
import { isVisibleUser } from '../visible-users.service.ts';

const given = {
  email: text,
  first_name: text,
  last_name: text,
  role: textOf<Role>(),
  company_code: text,
  invited_by: nullable(int8),
  created_at: timestamptz,
  expires_at: timestamptz,
};
const invitation = { id: int8, ...given };
const columns = listColumns(invitation);
export type InvitationRow = RowOf<typeof invitation>;

export type NewInvitation = Omit<InvitationRow, 'id'> & { tokenHash: Buffer };

// An expired invitation does not keep others from inviting.
const deleteExpired = statement({
  text: 'DELETE FROM invitations WHERE lower(email) = lower(:email) AND company_code = :company_code AND expires_at <= :created_at',
  params: { email: text, company_code: text, created_at: timestamptz },
});
const insert = statement({
  text: `INSERT INTO invitations (token_hash, email, first_name, last_name, role, company_code, invited_by, created_at, expires_at)
     VALUES (:tokenHash, :email, :first_name, :last_name, :role, :company_code, :invited_by, :created_at, :expires_at)
     ON CONFLICT (lower(email), company_code) DO NOTHING RETURNING ${columns}`,
  params: { tokenHash: bytea, ...given },
  row: invitation,
});

/** Inserts an invitation; undefined when the company has an open one for the email address. */
export async function insertInvitation(
  tx: Queryable,
  newInvitation: NewInvitation,
): Promise<InvitationRow | undefined> {
  await deleteExpired.run(tx, newInvitation);
  return insert.first(tx, newInvitation);
}

/** The scope is null for all companies. Only superadmins see invitations of superadmins. */
const visible = `(:scope::text IS NULL OR company_code = :scope AND role <> 'superadmin')`;

/** Lists one page of the invitations of a scope (null: all companies), newest first, with the inviters whom the reader may see. */
export const listInvitationPage = statement({
  text: `SELECT ${columns}, (SELECT u.email FROM users u WHERE u.id = invited_by AND ${isVisibleUser}) AS inviter FROM invitations
     WHERE ${visible} ORDER BY id DESC LIMIT :limit OFFSET :offset`,
  params: { scope: nullable(text), limit: int8, offset: int8 },
  row: { ...invitation, inviter: nullable(text) },
});

export const countInvitations = statement({
  text: `SELECT count(*) FROM invitations WHERE ${visible}`,
  params: { scope: nullable(text) },
  row: { count: int8 },
});

/** Finds the company of an invitation of a scope (null: all companies), which never changes. */
export const findInvitationCompany = statement({
  text: `SELECT company_code FROM invitations WHERE id = :id AND ${visible}`,
  params: { scope: nullable(text), id: int8 },
  row: { company_code: text },
});

/** Gives an invitation of a scope (null: all companies) a new token and end; undefined when there is none. */
export const renewInvitation = statement({
  text: `UPDATE invitations SET token_hash = :tokenHash, expires_at = :expiresAt
     WHERE id = :id AND ${visible} RETURNING ${columns}`,
  params: { scope: nullable(text), id: int8, tokenHash: bytea, expiresAt: timestamptz },
  row: invitation,
});

/** Deletes an invitation of a scope (null: all companies); undefined when there is none. */
export const deleteInvitationRow = statement({
  text: `DELETE FROM invitations WHERE id = :id AND ${visible} RETURNING ${columns}`,
  params: { scope: nullable(text), id: int8 },
  row: invitation,
});

export const deleteInvitationsOf = statement({
  text: `DELETE FROM invitations WHERE invited_by = :inviter RETURNING ${columns}`,
  params: { inviter: int8 },
  row: invitation,
});

/** Deletes a company's invitation of a person who became its user in another way. */
export const deleteInvitationOf = statement({
  text: 'DELETE FROM invitations WHERE lower(email) = lower(:email) AND company_code = :companyCode',
  params: { email: text, companyCode: text },
});

/** The address of an invitation and the names that it is shown with: its company, and its inviter, who may be gone. */
const invitationNames = { email: text, company_name: text, inviter: nullable(text) };
const selectNamed = `SELECT invitations.email, clients.company_name, u.name || ' (' || u.email || ')' AS inviter
     FROM invitations JOIN clients USING (company_code) LEFT JOIN users u ON u.id = invited_by`;

/** Finds the names of an invitation that is locked. */
export const findInvitationNames = statement({
  text: `${selectNamed} WHERE invitations.id = :id`,
  params: { id: int8 },
  row: invitationNames,
});

/** A link can be used before its end, while the company is Active. */
const usable = `expires_at > :at AND (SELECT c.active FROM clients c WHERE c.company_code = invitations.company_code)`;

/** Lists the usable invitations of a person: at most one by each company. */
export const listInvitationsOf = statement({
  text: `SELECT ${columns} FROM invitations WHERE lower(email) = lower(:email) AND ${usable} ORDER BY id`,
  params: { email: text, at: timestamptz },
  row: invitation,
});

/** Deletes an invitation that is still usable, and returns it; undefined when there is none. */
export const takeInvitationById = statement({
  text: `DELETE FROM invitations WHERE id = :id AND ${usable} RETURNING ${columns}`,
  params: { id: int8, at: timestamptz },
  row: invitation,
});

/** Finds the names of the invitation of a link that is usable at an instant. */
export const findUsableNames = statement({
  text: `${selectNamed} WHERE token_hash = :tokenHash AND ${usable}`,
  params: { tokenHash: bytea, at: timestamptz },
  row: invitationNames,
});

/** Finds the invitation of a link that is usable at an instant. */
export const findInvitation = statement({
  text: `SELECT ${columns} FROM invitations WHERE token_hash = :tokenHash AND ${usable}`,
  params: { tokenHash: bytea, at: timestamptz },
  row: invitation,
});

/** Uses up a link: deletes its invitation, and returns it if it was usable. */
export const takeInvitation = statement({
  text: `DELETE FROM invitations WHERE token_hash = :tokenHash AND ${usable} RETURNING ${columns}`,
  params: { tokenHash: bytea, at: timestamptz },
  row: invitation,
});
