import type { Context } from '#server/runtime/context.ts';
import { onlyThePair } from './guess-limits.ts';
import { isKnownAddress } from './known-addresses.queries.ts';
import type { Limits, Pair } from './login-attempts.queries.ts';

const knownDays = 90;
/** Multiple of LOGIN_ATTEMPTS for all accounts from one address. */
const addressTimes = 6;

/**
 * Returns the limits for wrong guesses at an account from an address. Failures elsewhere never lock users out of an
 * address where they signed in before.
 * @param pair the account by its email address in lower case
 * @param accountTimes multiple of LOGIN_ATTEMPTS for the account from all addresses
 */
export async function findLimits(
  { db, config, now }: Context,
  pair: Pair,
  accountTimes: number,
): Promise<Limits> {
  const attempts = config.LOGIN_ATTEMPTS;
  const knownSince = new Date(now().getTime() - knownDays * 24 * 60 * 60 * 1000);
  if (await isKnownAddress(db, pair, knownSince)) return onlyThePair(attempts);
  return { pair: attempts, account: attempts * accountTimes, address: attempts * addressTimes };
}
