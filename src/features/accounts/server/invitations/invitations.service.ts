import { countForLimit } from '#features/audit/server/audit.service.ts';
import { requireActiveCompany } from '#features/clients/server/clients.service.ts';
import { type Db, inTransaction, type Queryable } from '#server/db/db.ts';
import { type Caller, scopeOf } from '#server/http/caller.ts';
import { requireSession } from '#server/http/caller-rights.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Mail } from '#server/mail/mail.ts';
import type { Context } from '#server/runtime/context.ts';
import { describePage } from '#shared/describe-page.ts';
import type { Paging } from '#shared/paging.ts';
import { m } from '#shared/texts/messages.js';
import type { Invitation, InvitationOrder } from '../../invitations.contract.ts';
import { findUserByEmail, type UserRow } from '../accounts.queries.ts';
import { emailTaken } from '../email-taken.ts';
import { writeLinkMail } from '../link-mail.ts';
import { createLinkToken } from '../link-token.ts';
import { requireWithinCompany } from '../users/update-user.service.ts';
import {
  countInvitations,
  deleteInvitationRow,
  findInvitationCompany,
  findInvitationNames,
  type InvitationRow,
  insertInvitation,
  listInvitationPage,
  renewInvitation,
} from './invitations.queries.ts';
import { recordInvitation } from './record-invitation.ts';

const hourMs = 60 * 60 * 1000;
const lifetimeMs = 7 * 24 * hourMs;
/** A bound on mails to strangers. */
const mailsPerCompanyAndHour = 100;

/** Returns the error for an invitation that does not exist within the caller's scope: 404. */
const invitationNotFound = () => new AppError(404, 'invitation_not_found', m.server_invitation_not_found);

function describeInvitation(row: InvitationRow, inviter: string | null): Invitation {
  const { id, invited_by, created_at, expires_at, ...rest } = row;
  return {
    _id: String(id),
    ...rest,
    invited_by: invited_by === null || inviter === null ? null : { _id: String(invited_by), email: inviter },
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
  };
}

export async function listInvitations(db: Db, caller: Caller, { page, limit }: Paging) {
  const scope = scopeOf(caller);
  const [rows, { count: total }] = await Promise.all([
    listInvitationPage.all(db, { scope, limit, offset: (page - 1) * limit }),
    countInvitations.one(db, { scope }),
  ]);
  return {
    data: rows.map(({ inviter, ...row }) => describeInvitation(row, inviter)),
    pagination: describePage(page, limit, total),
  };
}

/**
 * Invites a person to become a user.
 * @returns the invitation, and the mail to send
 * @throws AppError 400 naming `company_code`, 403 for a role or company that the caller may not give, 409 for the email
 * address of a user whom the caller manages, or of an open invitation into the company, 429 after too many mails for the company
 */
export async function createInvitation(
  context: Context,
  caller: Caller,
  order: InvitationOrder,
): Promise<{ invitation: Invitation; mail: Mail }> {
  if (caller.role === 'company-admin') requireWithinCompany(caller, order);
  const { token, tokenHash } = createLinkToken();
  return inTransaction(context.db, async (tx) => {
    await requireSession(tx, caller);
    await requireActiveCompany(tx, order.company_code);
    const existingUser = await findUserByEmail.first(tx, { email: order.email });
    if (existingUser && isManagedBy(caller, existingUser)) throw emailTaken();
    await requireFewMails(context, tx, order.company_code);
    const now = context.now();
    const row = await insertInvitation(tx, {
      ...order,
      tokenHash,
      invited_by: caller.id,
      created_at: now,
      expires_at: new Date(now.getTime() + lifetimeMs),
    });
    if (!row) {
      throw new AppError(409, 'already_invited', m.server_already_invited);
    }
    await recordInvitation(tx, 'user.invite', row);
    return {
      invitation: describeInvitation(row, caller.email),
      mail: await writeMail(context, tx, row, token),
    };
  });
}

/**
 * Replaces the link of an invitation by a new one.
 * @returns the mail to send
 * @throws AppError 400 for a company that is Inactive now, 401, 404, 429 after too many mails for the company
 */
export async function renewLink(context: Context, caller: Caller, id: number): Promise<Mail> {
  const { token, tokenHash } = createLinkToken();
  return inTransaction(context.db, async (tx) => {
    await requireSession(tx, caller);
    const scope = scopeOf(caller);
    const companyCode = (await findInvitationCompany.first(tx, { scope, id }))?.company_code;
    if (companyCode === undefined) throw invitationNotFound();
    // Before the invitation, as deleting the company and inviting anew lock them, to avoid deadlocks.
    await requireActiveCompany(tx, companyCode);
    await requireFewMails(context, tx, companyCode);
    const expiresAt = new Date(context.now().getTime() + lifetimeMs);
    const row = await renewInvitation.first(tx, { id, scope, tokenHash, expiresAt });
    if (!row) throw invitationNotFound();
    await recordInvitation(tx, 'user.invite-again', row);
    return writeMail(context, tx, row, token);
  });
}

/** @throws AppError 401, 404 */
export async function deleteInvitation(db: Db, caller: Caller, id: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    await requireSession(tx, caller);
    const row = await deleteInvitationRow.first(tx, { scope: scopeOf(caller), id });
    if (!row) throw invitationNotFound();
    await recordInvitation(tx, 'user.invite-withdrawn', row);
  });
}

/** Returns whether a user is one of those whom an administrator sees. */
function isManagedBy(caller: Caller, user: Pick<UserRow, 'role' | 'company_code'>): boolean {
  if (caller.role === 'superadmin') return true;
  return user.role !== 'superadmin' && user.company_code === caller.companyCode;
}

async function writeMail(
  { publicUrl }: Context,
  tx: Queryable,
  { id, first_name, last_name, email }: InvitationRow,
  token: string,
): Promise<Mail> {
  const to = { name: `${first_name} ${last_name}`.trim(), address: email };
  const { company_name: company, inviter } = await findInvitationNames.one(tx, { id });
  return writeLinkMail(to, `${publicUrl}/invitation/${token}`, (locale) => ({
    subject: m.server_mail_invitation_subject({}, { locale }),
    body: m.server_mail_invitation_body({}, { locale }),
    facts: [
      [m.server_mail_company({}, { locale }), company],
      ...(inviter === null
        ? []
        : [[m.server_mail_invitation_by({}, { locale }), inviter] satisfies [string, string]]),
      [m.server_mail_link_works({}, { locale }), m.server_mail_invitation_lifetime({}, { locale })],
    ],
    button: m.server_mail_invitation_link({}, { locale }),
    ignore: m.server_mail_invitation_ignore({}, { locale }),
  }));
}

/** @throws AppError 429 after too many invitations for a company within an hour */
async function requireFewMails({ now }: Context, tx: Queryable, companyCode: string): Promise<void> {
  const since = new Date(now().getTime() - hourMs);
  const mailed = await countForLimit(tx, {
    actions: ['user.invite', 'user.invite-again'],
    companyCode,
    since,
  });
  if (mailed < mailsPerCompanyAndHour) return;
  throw new AppError(429, 'too_many_invitations', m.server_too_many_invitations, {
    retryAfterSeconds: hourMs / 1000,
  });
}
