import { randomBytes } from 'node:crypto';
import { record } from '#features/audit/server/audit.service.ts';
import type { Db, Queryable } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { changeAs } from '#server/http/caller-rights.ts';
import { AppError, fill, invalidField } from '#server/http/errors/errors.ts';
import type { Mail } from '#server/mail/mail.ts';
import type { Context } from '#server/runtime/context.ts';
import { describePage } from '#shared/describe-page.ts';
import type { Paging } from '#shared/paging.ts';
import { m } from '#shared/texts/messages.js';
import type { ApiToken, TokenOrder } from '../../tokens.contract.ts';
import { lockUserForChange } from '../accounts.queries.ts';
import { writeLinkMail } from '../link-mail.ts';
import { hashToken } from '../link-token.ts';
import { requireLockedUser } from '../users/users.service.ts';
import { countTokens, deleteTokenRow, insertToken, listTokenPage, type TokenRow } from './tokens.queries.ts';

/** Tells an API token from a session token. Secret scanners find leaked tokens by such a prefix. */
export const tokenPrefix = 'cvd_';
const tokensPerUser = 50;

const tokenNotFound = () => new AppError(404, 'token_not_found', m.server_token_not_found);

function describeToken(row: TokenRow): ApiToken {
  const { id, name, scope, created_at, expires_at, last_used } = row;
  return {
    _id: String(id),
    name,
    scope,
    created_at: created_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
    last_used: last_used?.toISOString() ?? null,
  };
}

export async function listTokens(db: Db, userId: number, { page, limit }: Paging) {
  const [rows, { count: total }] = await Promise.all([
    listTokenPage.all(db, { userId, limit, offset: (page - 1) * limit }),
    countTokens.one(db, { userId }),
  ]);
  return { data: rows.map(describeToken), pagination: describePage(page, limit, total) };
}

/**
 * Creates a token of the caller.
 * @returns the token with its secret, of which only a hash is stored, and the mail that tells the owner
 * @throws AppError 400 for an end that is not in the future, 401, 409 beyond 50 tokens
 */
export async function createToken(
  context: Context,
  caller: Caller,
  { name, scope, expires_at }: TokenOrder,
): Promise<{ created: ApiToken & { token: string }; mail: Mail }> {
  const now = context.now();
  const expiresAt = expires_at === null ? null : new Date(expires_at);
  if (expiresAt && expiresAt <= now) {
    throw invalidField('expires_at', m.server_token_end);
  }
  const token = `${tokenPrefix}${randomBytes(32).toString('base64url')}`;
  const row = await changeAs(context.db, caller, async (tx) => {
    // Another token made at the same time waits here, and then counts this one.
    await lockUserForChange.first(tx, { id: caller.id });
    if ((await countTokens.one(tx, { userId: caller.id })).count >= tokensPerUser) {
      throw new AppError(409, 'too_many_tokens', fill(m.server_too_many_tokens, { limit: tokensPerUser }));
    }
    const newToken = { tokenHash: hashToken(token), name, scope, created_at: now, expires_at: expiresAt };
    const inserted = await insertToken.one(tx, { ...newToken, userId: caller.id });
    await record(tx, {
      action: 'token.create',
      objectId: inserted.id,
      companyCode: caller.companyCode,
      after: { name, scope, expires_at: expiresAt?.toISOString() ?? null },
    });
    return inserted;
  });
  return { created: { ...describeToken(row), token }, mail: writeTokenMail(context, caller, row) };
}

/** A token that somebody else made with a stolen session is noticed by this mail. */
function writeTokenMail(
  { publicUrl }: Context,
  { name, email }: Caller,
  { name: token, scope }: TokenRow,
): Mail {
  return writeLinkMail({ name, address: email }, `${publicUrl}/dashboard/tokens`, (locale) => ({
    subject: m.server_mail_token_subject({}, { locale }),
    body:
      scope === 'read'
        ? m.server_mail_token_body_read({}, { locale })
        : m.server_mail_token_body_write({}, { locale }),
    facts: [
      [m.server_mail_account({}, { locale }), email],
      [m.server_mail_token_name({}, { locale }), token],
    ],
    button: m.server_mail_token_link({}, { locale }),
    ignore: m.server_mail_token_ignore({}, { locale }),
  }));
}

/** @throws AppError 401, 404 */
export async function deleteToken(db: Db, caller: Caller, id: number): Promise<void> {
  await changeAs(db, caller, async (tx) => {
    // Before the token, as a change of the user locks both, to avoid deadlocks.
    await lockUserForChange.first(tx, { id: caller.id });
    await deleteTokenOf(tx, { id: caller.id, company_code: caller.companyCode }, id);
  });
}

/** @throws AppError 401, 404 for a user outside the caller's scope or a token that is not the user's */
export async function deleteUserToken(db: Db, caller: Caller, userId: number, id: number): Promise<void> {
  await changeAs(db, caller, async (tx) => {
    const user = await requireLockedUser(tx, caller, userId);
    await deleteTokenOf(tx, user, id, user.email);
  });
}

/**
 * Deletes and records a token of a locked user.
 * @param email the user's, if somebody else deletes the token
 * @throws AppError 404
 */
async function deleteTokenOf(
  tx: Queryable,
  owner: { id: number; company_code: string | null },
  id: number,
  email?: string,
): Promise<void> {
  const row = await deleteTokenRow.first(tx, { userId: owner.id, id });
  if (!row) throw tokenNotFound();
  await record(tx, {
    action: 'token.delete',
    objectId: row.id,
    companyCode: owner.company_code,
    before: { name: row.name, scope: row.scope, email },
  });
}
