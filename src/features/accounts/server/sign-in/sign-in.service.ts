import { record } from '#features/audit/server/audit.service.ts';
import { networkOf } from '#server/egress/ip-address.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import { findUserByEmail, lockUser, replaceHash } from '../accounts.queries.ts';
import { hashPassword, isOutdatedHash, verifyPassword } from '../passwords/passwords.ts';
import { limitGuesses, onlyThePair } from './guess-limits.ts';
import { isKnownAddress, rememberAddress } from './known-addresses.queries.ts';
import type { Limits } from './login-attempts.queries.ts';
import { issueToken } from './session-token.ts';

/** Multiples of LOGIN_ATTEMPTS: for one account from all addresses, and for all accounts from one address. */
const times = { account: 3, address: 6 };
const known = { days: 90, limit: 20 };

/**
 * Signs a user in. An unknown or deactivated account takes the same time and gets the same answer as a wrong password.
 * @param ip the address of the request
 * @returns the session token
 * @throws AppError 401, or 429 after too many failures in 15 minutes (docs/rules.md, Accounts)
 */
export async function signIn(
  context: Context,
  credentials: { email: string; password: string },
  ip: string,
): Promise<string> {
  const { db } = context;
  const pair = { account: credentials.email.toLowerCase(), address: networkOf(ip) };
  const user = await findUserByEmail(db, credentials.email);
  const knownSince = new Date(context.now().getTime() - known.days * 24 * 60 * 60 * 1000);
  const limits = limitsFor(context.config.LOGIN_ATTEMPTS, await isKnownAddress(db, pair, knownSince));
  const token = await limitGuesses(context, {
    pair,
    limits,
    verify: () => verifyPassword(user?.password_hash, credentials.password),
    async settle(tx, verified) {
      const present = verified && user ? await lockUser(tx, user.id) : undefined;
      const entry = { objectId: user?.id ?? null, companyCode: user?.company_code ?? null };
      // A password change moves this second; a renewed hash of the same password does not.
      if (!present?.active || present.sessions_valid_from !== user?.sessions_valid_from) {
        const after = { email: credentials.email, known_account: user !== undefined };
        await record(tx, { action: 'user.sign-in-refused', ...entry, after });
        return undefined;
      }
      const actor = { id: present.id, email: present.email };
      await record(tx, { action: 'user.sign-in', ...entry }, { actor, address: ip });
      await rememberAddress(tx, {
        userId: present.id,
        address: pair.address,
        at: context.now(),
        limit: known.limit,
      });
      return issueToken(context, present);
    },
    refusal: (wait, locale) => m.server_too_many_attempts({ wait }, { locale }),
  });
  if (token === undefined || !user) {
    throw new AppError(401, 'credentials_wrong', (locale) => m.server_credentials_wrong({}, { locale }));
  }
  // The password is known only here.
  if (isOutdatedHash(user.password_hash)) {
    await replaceHash(db, user.id, await hashPassword(credentials.password), user.password_hash);
  }
  return token;
}

/** Returns the limits for an address. Failures elsewhere never lock users out of an address where they signed in before. */
function limitsFor(attempts: number, isKnown: boolean): Limits {
  if (isKnown) return onlyThePair(attempts);
  return { pair: attempts, account: attempts * times.account, address: attempts * times.address };
}
