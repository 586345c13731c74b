import { windowBefore } from '#server/db/counted-window.ts';
import { inTransaction, type Queryable } from '#server/db/db.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';
import {
  deleteFailures,
  findReached,
  insertFailure,
  type Limits,
  lockAttempts,
  type Pair,
  sweepFailures,
} from './login-attempts.queries.ts';

const windowMs = 15 * 60 * 1000;

const windowOf = ({ now }: Pick<Context, 'now'>) => windowBefore(now(), windowMs);

/** Returns limits for the pair alone, without limits for the account and the address. */
export function onlyThePair(attempts: number): Limits {
  const unlimited = 2 ** 31 - 1;
  return { pair: attempts, account: unlimited, address: unlimited };
}

/** An attempt to prove that one knows a password. */
export type Guess<T> = {
  pair: Pair;
  limits: Limits;
  verify(): Promise<boolean>;
  /**
   * Acts on the decision in the transaction that counts it.
   * @returns undefined for a wrong password, also if it became wrong after it was verified
   */
  settle(tx: Queryable, verified: boolean): Promise<T | undefined>;
  /** Returns the text of the refusal. @param wait the time to wait, in words */
  refusal(wait: string, locale: Locale): string;
};

/**
 * Checks a password, within the limits for wrong ones.
 * @returns the result of `settle`; undefined for a wrong password
 * @throws AppError 429 once a limit is reached, until a failure leaves the window of 15 minutes
 */
export async function limitGuesses<T>(context: Context, guess: Guess<T>): Promise<T | undefined> {
  const { db } = context;
  const { pair } = guess;
  // A locked-out caller costs no hash. Checked again under the lock, where it counts.
  await refuseShutOut(context, db, guess);
  const verified = await guess.verify();
  const settled = await inTransaction(db, async (tx) => {
    await lockAttempts(tx, pair);
    await refuseShutOut(context, tx, guess);
    const result = await guess.settle(tx, verified);
    if (result === undefined) await insertFailure.run(tx, { ...pair, at: context.now() });
    else await deleteFailures.run(tx, pair);
    return result;
  });
  if (settled === undefined) await sweepFailures.run(db, windowOf(context));
  return settled;
}

/** @throws AppError 429 with the seconds until a failure leaves the window */
async function refuseShutOut(
  context: Context,
  db: Queryable,
  { pair, limits, refusal }: Pick<Guess<unknown>, 'pair' | 'limits' | 'refusal'>,
): Promise<void> {
  const window = windowOf(context);
  const reached = Object.values(await findReached(db, pair, window, limits)).filter((at) => at !== null);
  if (reached.length === 0) return;
  const latest = Math.max(...reached.map((at) => at.getTime()));
  const retryAfterSeconds = Math.max(1, Math.ceil((latest - window.since.getTime()) / 1000));
  const count = Math.ceil(retryAfterSeconds / 60);
  throw new AppError(
    429,
    'too_many_attempts',
    (_, { locale }) => refusal(m.server_minutes({ count }, { locale }), locale),
    { retryAfterSeconds },
  );
}
