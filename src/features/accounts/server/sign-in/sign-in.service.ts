import { record } from '#features/audit/server/audit.service.ts';
import { networkOf } from '#server/egress/ip-address.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import { findUserByEmail, lockUser, replaceHash } from '../accounts.queries.ts';
import { hashPassword, isOutdatedHash, verifyPassword } from '../passwords/passwords.ts';
import { createChallenge } from '../second-factor/challenges.service.ts';
import { completeSignIn } from './complete-sign-in.service.ts';
import { limitGuesses } from './guess-limits.ts';
import { findLimits } from './sign-in-limits.ts';

/** Multiple of LOGIN_ATTEMPTS for one account from all addresses. */
const accountTimes = 3;

/** A session, or the challenge of a user with a second factor. */
export type SignedIn = { token: string } | { second_factor: true; challenge: string };

/**
 * Signs a user in by the password. An unknown or deactivated account takes the same time and gets the same answer as a
 * wrong password.
 * @param ip the address of the request
 * @throws AppError 401, or 429 after too many failures in 15 minutes (docs/rules.md, Accounts)
 */
export async function signIn(
  context: Context,
  credentials: { email: string; password: string },
  ip: string,
): Promise<SignedIn> {
  const { db } = context;
  const pair = { account: credentials.email.toLowerCase(), address: networkOf(ip) };
  const user = await findUserByEmail.first(db, { email: credentials.email });
  const signedIn = await limitGuesses<SignedIn>(context, {
    pair,
    limits: await findLimits(context, pair, accountTimes),
    verify: () => verifyPassword(user?.password_hash, credentials.password, pair.account),
    async settle(tx, verified) {
      const currentUser = verified && user ? await lockUser.first(tx, { id: user.id }) : undefined;
      // A password change moves this second; a renewed hash of the same password does not.
      if (!currentUser?.active || currentUser.sessions_valid_from !== user?.sessions_valid_from) {
        await record(tx, {
          action: 'user.sign-in-refused',
          objectId: user?.id ?? null,
          companyCode: user?.company_code ?? null,
          after: { email: credentials.email, known_account: user !== undefined },
        });
        return undefined;
      }
      if (currentUser.second_factor) {
        return { second_factor: true, challenge: await createChallenge(context, tx, currentUser) };
      }
      return { token: await completeSignIn(context, tx, currentUser, { ip }) };
    },
    refusal: (wait, locale) => m.server_too_many_attempts({ wait }, { locale }),
  });
  if (signedIn === undefined || !user) {
    throw new AppError(401, 'credentials_wrong', m.server_credentials_wrong);
  }
  // The password is known only here.
  if (isOutdatedHash(user.password_hash)) {
    await replaceHash.run(db, {
      userId: user.id,
      hash: await hashPassword(credentials.password),
      former: user.password_hash,
    });
  }
  return signedIn;
}
