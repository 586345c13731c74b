import type { Context } from '#server/context.ts';
import { inTransaction, type Queryable } from '#server/db.ts';
import { AppError } from '#server/errors.ts';
import { m } from '#shared/texts/messages.js';
import { findUserByEmail } from './accounts.queries.ts';
import {
  deleteFailures,
  insertFailure,
  listFailures,
  lockPair,
  type Pair,
  sweepFailures,
} from './login-attempts.queries.ts';
import { verifyPassword } from './passwords.ts';
import { issueToken } from './session-token.ts';

const windowMs = 15 * 60 * 1000;

/**
 * Signs a user in. An unknown account costs the same time as a wrong password and reads the same.
 * @param address where the request came from
 * @returns the session token
 * @throws AppError 401, or 429 after LOGIN_ATTEMPTS failures of this account from this address in 15 minutes
 */
export async function signIn(
  context: Context,
  credentials: { email: string; password: string },
  address: string,
): Promise<string> {
  const { db } = context;
  const pair = { account: credentials.email.toLowerCase(), address };
  // A caller who is shut out costs no hash; the answer counts only once it is asked again under the lock.
  await refuseShutOut(context, db, pair);
  const user = await findUserByEmail(db, credentials.email);
  const right = await verifyPassword(user?.password_hash, credentials.password);
  await inTransaction(db, async (tx) => {
    await lockPair(tx, pair);
    await refuseShutOut(context, tx, pair);
    if (right) await deleteFailures(tx, pair);
    else await insertFailure(tx, pair, context.now());
  });
  if (!right || !user) {
    await sweepFailures(db, new Date(context.now().getTime() - windowMs));
    throw new AppError(401, 'credentials_wrong', (locale) => m.server_credentials_wrong({}, { locale }));
  }
  return issueToken(context, user);
}

/** @throws AppError 429 with the seconds until the failure that is one too many leaves the window */
async function refuseShutOut(context: Context, db: Queryable, pair: Pair): Promise<void> {
  const { LOGIN_ATTEMPTS } = context.config;
  const since = new Date(context.now().getTime() - windowMs);
  const failures = await listFailures(db, pair, since, LOGIN_ATTEMPTS);
  const oldest = failures[LOGIN_ATTEMPTS - 1];
  if (!oldest) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((oldest.getTime() - since.getTime()) / 1000));
  const minutes = String(Math.ceil(retryAfterSeconds / 60));
  throw new AppError(
    429,
    'too_many_attempts',
    (locale) => m.server_too_many_attempts({ minutes }, { locale }),
    { retryAfterSeconds },
  );
}
