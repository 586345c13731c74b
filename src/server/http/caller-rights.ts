import { type Db, inTransaction, type Queryable } from '#server/db/db.ts';
import { m } from '#shared/texts/messages.js';
import type { Caller } from './caller.ts';
import { lockRights, lockToken } from './caller-rights.queries.ts';
import { AppError } from './errors/errors.ts';

/** Returns the error for a session that ended before its token expired: 401. */
export function sessionEnded(): AppError {
  return new AppError(401, 'session_ended', m.server_session_ended);
}

/**
 * Checks in the transaction of a change that the caller's session or API token has not ended since the call began. Locks
 * the user against a new password until the transaction ends, so call it last, as `changeAs` does. Calls that end the caller's
 * own sessions check before that, and calls that change invitations begin with it: a change of the user locks the user
 * and then the invitations.
 * @throws AppError 401 when the user was deactivated or signed out, or has another password, role or company
 */
export async function requireSession(tx: Queryable, caller: Caller): Promise<void> {
  const { id, role, companyCode, apiToken, issuedAt } = caller;
  const isSame =
    (await lockRights.run(tx, { id, role, companyCode, issuedAt: apiToken ? null : issuedAt })) > 0 &&
    (!apiToken || (await lockToken.run(tx, { id: apiToken.id })) > 0);
  if (!isSame) throw sessionEnded();
}

/**
 * Runs a change on the caller's behalf in a transaction, which is only committed while the caller still has the rights
 * that the call began with.
 * @param caller null for the product itself
 * @throws AppError 401 as `requireSession`, or the error of `work`
 */
export function changeAs<T>(db: Db, caller: Caller | null, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return inTransaction(db, async (tx) => {
    const result = await work(tx);
    if (caller) await requireSession(tx, caller);
    return result;
  });
}
