import { singleFlight } from '#server/concurrency/single-flight.ts';
import type { Db } from '#server/db/db.ts';
import type { Outcome } from '../../configuration/source.ts';
import type { Permits } from '../../http/permits.ts';
import { exchangeUnderLease } from '../tokens/exchange-under-lease.ts';
import { appleLease } from '../tokens/token-lease.queries.ts';
import { findToken, saveRefusal, saveToken, type TokenRow } from './apple-token.queries.ts';

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
    return exchangeUnderLease({
      db,
      lease: appleLease,
      account,
      permits,
      find: () => findToken(db, account),
      settle(row) {
        if (row.good && row.token !== null && row.token !== dead) return row.token;
        // A call that waited while another was refused would only be refused as well.
        if (!row.refused_at || row.refused_at < asked_at || !row.refusal) return undefined;
        return remaining(row, dead) ?? row.refusal;
      },
      async exchange(row, holder, held) {
        const result = await requestToken(held);
        if (!('outcome' in result)) {
          await saveToken(db, account, holder, result);
          return result.token;
        }
        if (result.outcome.is === 'unsent') return result.outcome;
        await saveRefusal(db, account, holder, result.outcome);
        return remaining(row, dead) ?? result.outcome;
      },
    });
  }

  const replaceOnce = singleFlight(replace);
  return {
    async take(permits) {
      const row = await findToken(db, account);
      if (row.good && row.token !== null) return row.token;
      return (
        (row.refused_lately || row.held ? remaining(row, null) : undefined) ?? replaceOnce(null, permits)
      );
    },
    renew: replaceOnce,
  };
}

/** The old token serves until it really expires while no new one is to be had. */
function remaining(row: TokenRow, dead: string | null): string | undefined {
  return row.alive && row.token !== null && row.token !== dead ? row.token : undefined;
}
