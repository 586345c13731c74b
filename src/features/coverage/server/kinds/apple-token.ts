import { type Db, inTransaction } from '#server/db.ts';
import { singleFlight } from '#server/single-flight.ts';
import { holdPermit, type Permits } from '../http/permits.ts';
import type { Outcome } from '../sources/source.ts';
import { findToken, lockToken, saveRefusal, saveToken, type TokenRow } from './apple-token.queries.ts';

/** A new access token and how long it lives, or why there is none. */
export type TokenResult = { token: string; lifeSeconds: number } | { outcome: Outcome };

/** The access token of an API account of Apple Business or School Manager. */
export type AppleToken = {
  /** A token that is good to use, or why there is none. */
  take(permits?: Permits): Promise<string | Outcome>;
  /** The token after one that Apple did not accept; another worker may have fetched it already. */
  renew(dead: string, permits?: Permits): Promise<string | Outcome>;
};

/**
 * Keeps one access token for all workers and over restarts, since Apple hands out only so many: it is replaced when
 * less than five minutes are left, by one worker at a time.
 */
export function createAppleToken(
  db: Db,
  account: string,
  requestToken: (permits: Permits | undefined) => Promise<TokenResult>,
): AppleToken {
  async function replace(dead: string | null, permits?: Permits): Promise<string | Outcome> {
    const { asked_at } = await findToken(db, account);
    // Before the token is locked: nobody who may ask waits for somebody who may not.
    const held = await holdPermit(permits);
    return inTransaction(db, async (tx) => {
      const row = await lockToken(tx, account);
      if (row.good && row.token !== null && row.token !== dead) return row.token;
      // Who waited for the lock while another was refused would only be refused as well.
      if (row.refused_at && row.refused_at >= asked_at && row.refusal)
        return remaining(row, dead) ?? row.refusal;
      const result = await requestToken(held.permits);
      if ('outcome' in result) {
        if (result.outcome.is === 'unsent') return result.outcome;
        await saveRefusal(tx, account, result.outcome);
        return remaining(row, dead) ?? result.outcome;
      }
      await saveToken(tx, account, result.token, result.lifeSeconds);
      return result.token;
    }).finally(held.end);
  }

  const replaceOnce = singleFlight(replace);
  return {
    async take(permits) {
      const row = await findToken(db, account);
      if (row.good && row.token !== null) return row.token;
      return (row.refused_lately ? remaining(row, null) : undefined) ?? replaceOnce(null, permits);
    },
    renew: replaceOnce,
  };
}

/** The old token serves until it really expires while no new one is to be had. */
function remaining(row: TokenRow, dead: string | null): string | undefined {
  return row.alive && row.token !== null && row.token !== dead ? row.token : undefined;
}
