import { record } from '#features/audit/server/audit.service.ts';
import type { Queryable } from '#server/db/db.ts';
import { networkOf } from '#server/egress/ip-address.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import { lockUser, type UserRow } from '../accounts.queries.ts';
import { createLinkToken, hashToken } from '../link-token.ts';
import { completeSignIn } from '../sign-in/complete-sign-in.service.ts';
import { limitGuesses } from '../sign-in/guess-limits.ts';
import { findLimits } from '../sign-in/sign-in-limits.ts';
import {
  countWrongCode,
  deleteChallenge,
  findChallengedUser,
  insertChallenge,
  lockChallenge,
} from './challenges.queries.ts';
import { takeCode } from './second-factor-code.service.ts';

const lifetimeMs = 10 * 60 * 1000;
const challengesPerUser = 10;
const wrongCodesPerChallenge = 5;

/**
 * Creates a challenge for a user whose password was right.
 * @param user a user locked until the transaction ends
 */
export async function createChallenge(context: Context, tx: Queryable, user: UserRow): Promise<string> {
  const { token, tokenHash } = createLinkToken();
  const now = context.now();
  const newChallenge = {
    challengeHash: tokenHash,
    userId: user.id,
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifetimeMs),
    sessionsValidFrom: user.sessions_valid_from,
  };
  await insertChallenge(tx, newChallenge, challengesPerUser);
  return token;
}

/**
 * Completes a sign-in by a code. Wrong codes count for the challenge, and for the account over all challenges.
 * @param ip the address of the request
 * @returns the session token
 * @throws AppError 401 for a wrong or used code, or a challenge that has ended; 429 after too many wrong codes
 */
export async function answerChallenge(
  context: Context,
  answer: { challenge: string; code: string },
  ip: string,
): Promise<string> {
  const { db } = context;
  const hash = hashToken(answer.challenge);
  const challengedUser = await findChallengedUser.first(db, { challengeHash: hash, at: context.now() });
  if (!challengedUser) throw challengeEnded();
  const address = networkOf(ip);
  let isLast = false;
  const token = await limitGuesses(context, {
    pair: { account: `second-factor ${challengedUser.user_id}`, address },
    // A caller who guesses codes knows the password, so the limit of one address holds for all addresses together.
    limits: await findLimits(context, { account: challengedUser.email.toLowerCase(), address }, 1),
    verify: async () => true,
    async settle(tx) {
      const user = await lockUser.first(tx, { id: challengedUser.user_id });
      const sessionsValidFrom = (await lockChallenge.first(tx, { challengeHash: hash, at: context.now() }))
        ?.sessions_valid_from;
      if (!user?.active || !user.second_factor || user.sessions_valid_from !== sessionsValidFrom)
        throw challengeEnded();
      const kind = await takeCode(tx, user.id, answer.code, context.now());
      if (kind === undefined) {
        isLast =
          (await countWrongCode.one(tx, { challengeHash: hash })).wrong_codes >= wrongCodesPerChallenge;
        if (isLast) await deleteChallenge.run(tx, { challengeHash: hash });
        await record(tx, {
          action: 'user.sign-in-refused',
          objectId: user.id,
          companyCode: user.company_code,
          after: { email: user.email, reason: 'wrong code' },
        });
        return undefined;
      }
      await deleteChallenge.run(tx, { challengeHash: hash });
      return completeSignIn(context, tx, user, { ip, by: kind });
    },
    refusal: (wait, locale) => m.server_too_many_codes({ wait }, { locale }),
  });
  if (token !== undefined) return token;
  if (isLast) throw challengeEnded();
  throw new AppError(401, 'code_wrong', m.server_code_wrong);
}

function challengeEnded(): AppError {
  return new AppError(401, 'challenge_ended', m.server_challenge_ended);
}
