import { record } from '#features/audit/server/audit.service.ts';
import type { Db, Queryable } from '#server/db/db.ts';
import { inTransaction } from '#server/db/db.ts';
import { flagOf } from '#server/db/filter-sql.queries.ts';
import { type Caller, scopeOf } from '#server/http/caller.ts';
import { changeAs, requireSession } from '#server/http/caller-rights.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Mail } from '#server/mail/mail.ts';
import type { Context } from '#server/runtime/context.ts';
import { describePage } from '#shared/describe-page.ts';
import type { Paging } from '#shared/paging.ts';
import { m } from '#shared/texts/messages.js';
import type { UserEntry, UserQuery } from '../../users.contract.ts';
import { lockUserForChange, lockUsers } from '../accounts.queries.ts';
import { createResetLink } from '../passwords/password-resets.service.ts';
import { deleteTokensOf } from '../tokens/tokens.queries.ts';
import { countUsers, endSessions, findUserEntry, listUserPage, type UserEntryRow } from './users.queries.ts';

/** Returns the error for a user who does not exist within the caller's scope: 404. */
const userNotFound = () => new AppError(404, 'user_not_found', m.server_user_not_found);

/** Describes a user as administrators see it. */
export function describeUserEntry({ id, last_login, created_at, ...rest }: UserEntryRow): UserEntry {
  return {
    _id: String(id),
    ...rest,
    last_login: last_login?.toISOString() ?? null,
    created_at: created_at.toISOString(),
  };
}

export async function listUsers(db: Db, caller: Caller, query: UserQuery & Paging) {
  const { page, limit, company_code, role, q } = query;
  const filters = {
    scope: scopeOf(caller),
    company_code,
    role,
    active: flagOf(query.active),
    second_factor: flagOf(query.second_factor),
    q: q || null,
  };
  const [rows, { count: total }] = await Promise.all([
    listUserPage.all(db, { ...filters, limit, offset: (page - 1) * limit }),
    countUsers.one(db, filters),
  ]);
  return { data: rows.map(describeUserEntry), pagination: describePage(page, limit, total) };
}

/** Finds a user within the caller's scope. @throws AppError 404 */
export async function requireUserInScope(db: Queryable, caller: Caller, id: number): Promise<UserEntryRow> {
  const user = await findUserEntry.first(db, { scope: scopeOf(caller), id });
  if (!user) throw userNotFound();
  return user;
}

/**
 * Finds a user within the caller's scope and locks it for a change. Changes by administrators wait for each other, so
 * that two of them cannot deadlock or remove each other.
 * @throws AppError 404
 */
export async function requireLockedUser(tx: Queryable, caller: Caller, id: number): Promise<UserEntryRow> {
  await lockUsers.run(tx);
  await lockUserForChange.first(tx, { id });
  return requireUserInScope(tx, caller, id);
}

/** Ends every session and API token of a user. @throws AppError 401, 404 */
export async function signOutUser({ db, now }: Context, caller: Caller, id: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const user = await requireLockedUser(tx, caller, id);
    await recordOf(tx, 'user.sign-out', user);
    await requireSession(tx, caller);
    await endSessions.one(tx, { id, nowSeconds: Math.floor(now().getTime() / 1000) });
    await deleteTokensOf.run(tx, { userId: id });
  });
}

/**
 * Creates a link for a user that sets a new password.
 * @returns the mail to send
 * @throws AppError 404, 409 for a deactivated user, 429 after 5 links within an hour
 */
export async function createUserReset(context: Context, caller: Caller, id: number): Promise<Mail> {
  return changeAs(context.db, caller, async (tx) => {
    const user = await requireLockedUser(tx, caller, id);
    if (!user.active) {
      throw new AppError(409, 'user_inactive', m.server_user_inactive);
    }
    const mail = await createResetLink(context, tx, id);
    if (!mail) {
      throw new AppError(429, 'too_many_links', m.server_too_many_links, {
        retryAfterSeconds: 3600,
      });
    }
    await recordOf(tx, 'user.reset-link', user);
    return mail;
  });
}

function recordOf(
  tx: Queryable,
  action: 'user.sign-out' | 'user.reset-link',
  { id, email, company_code }: UserEntryRow,
): Promise<void> {
  return record(tx, { action, objectId: id, companyCode: company_code, after: { email } });
}
