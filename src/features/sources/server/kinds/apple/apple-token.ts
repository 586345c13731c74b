import { singleFlight } from '#server/concurrency/single-flight.ts';
import type { Db } from '#server/db/db.ts';
import type { Outcome } from '../../configuration/source.ts';
import type { Permits } from '../../http/permits.ts';
import { exchangeUnderLease } from '../tokens/exchange-under-lease.ts';
import { appleLease } from '../tokens/token-lease.queries.ts';
import { findToken, storeRefusal, storeToken, type TokenRow } from './apple-token.queries.ts';

/** A new access token and its life, or the outcome of a refused request. */
export type TokenResult = { token: string; lifeSeconds: number } | { outcome: Outcome };

/** The access token of an API account of Apple Business or School Manager. */
export type AppleToken = {
  /** Returns a valid token, or the outcome that prevents one. */
  take(permits?: Permits): Promise<string | Outcome>;
  /** Returns the token that replaces a refused one. Another worker may have requested it already. */
  renew(dead: string, permits?: Permits): Promise<string | Outcome>;
};

/**
 * Keeps one access token for all workers and across restarts, because Apple limits their number. One worker at a time
 * replaces it when less than five minutes are left.
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
          await storeToken(db, account, holder, result);
          return result.token;
        }
        if (result.outcome.is === 'unsent') return result.outcome;
        await storeRefusal.run(db, { account, holder, refusal: result.outcome });
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

/** Returns the old token while it lives and there is no new one. */
function remaining(row: TokenRow, dead: string | null): string | undefined {
  return row.alive && row.token !== null && row.token !== dead ? row.token : undefined;
}
