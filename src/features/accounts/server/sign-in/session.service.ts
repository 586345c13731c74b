import type { Queryable } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { AppError } from '#server/http/errors/errors.ts';
import { m } from '#shared/texts/messages.js';
import { lockUser } from '../accounts.queries.ts';
import { lockToken } from '../tokens/tokens.queries.ts';

/** Returns the error for a session that ended before its token expired: 401. */
export function sessionEnded(): AppError {
  return new AppError(401, 'session_ended', (locale) => m.server_session_ended({}, { locale }));
}

/**
 * Checks in the transaction of a change that the caller's session or API token has not ended since the call began. Locks
 * the user against a new password until the transaction ends, so call it last. Only calls that change invitations
 * call it before that: a change of the user locks the user and then the invitations.
 * @throws AppError 401 when the user was deactivated or signed out, or has another password, role or company
 */
export async function requireSession(tx: Queryable, caller: Caller): Promise<void> {
  const user = await lockUser(tx, caller.id);
  const isSame =
    user?.active === true &&
    (caller.apiToken
      ? await lockToken(tx, caller.apiToken.id)
      : user.sessions_valid_from <= caller.issuedAt) &&
    user.role === caller.role &&
    user.company_code === caller.companyCode;
  if (!isSame) throw sessionEnded();
}
