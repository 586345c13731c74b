import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { singleFlight } from '#server/concurrency/single-flight.ts';
import type { Db } from '#server/db/db.ts';
import type { Log } from '#server/runtime/log.ts';
import type { Outcome } from '../../configuration/source.ts';
import type { Permits } from '../../http/permits.ts';
import { exchangeUnderLease } from '../tokens/exchange-under-lease.ts';
import { gsxLease } from '../tokens/token-lease.queries.ts';
import { findSession, type SessionRow, storeRefusal, storeToken } from './gsx-session.queries.ts';

/** The result of a token exchange: a new token, a refusal, or the outcome of a failed request. */
export type TokenResult = { token: string } | { refused: true } | { outcome: Outcome };

type Account = {
  db: Db;
  log: Log;
  /** The name of the account. All its sources and workers share one session. */
  account: string;
  /** The one-time token that a person fetched. */
  activationToken: string | undefined;
  exchangeToken(token: string, permits: Permits | undefined): Promise<TokenResult>;
};

export type GsxSession = {
  /** Returns a valid token, or the outcome that prevents one. */
  take(permits?: Permits): Promise<string | Outcome>;
  /** Returns the token that replaces a refused one. Another worker may have fetched it already. */
  renew(dead: string, permits?: Permits): Promise<string | Outcome>;
  /** Waits for a running exchange, because GSX may have spent the old token. */
  close(): Promise<void>;
};

/** How long storing a new token is retried, in milliseconds. Longer than a database takes to come back. */
const keepMs = 600_000;

const refusal: Outcome = {
  is: 'auth',
  error:
    'GSX accepts no token of ours: a person must fetch a new activation token and put it into the configuration',
  account: true,
};

type NewToken = Parameters<typeof storeToken>[2];

/**
 * Opens an account's session. One worker at a time replaces its token, and stores the new one before it is used.
 */
export function createGsxSession(options: Account): GsxSession {
  const { db, log, account, activationToken, exchangeToken } = options;
  const activation = activationToken && {
    token: activationToken,
    hash: createHash('sha256').update(activationToken).digest(),
  };
  let exchanging: Promise<unknown> | undefined;

  /** Lists the tokens to exchange: the session's own first, because an activation token works only once. */
  function listCredentials(row: SessionRow) {
    const isSpent = activation && row.activation_hash?.equals(activation.hash);
    return [
      ...(row.token === null ? [] : [{ token: row.token, hash: null }]),
      ...(activation && !isSpent ? [activation] : []),
    ];
  }

  async function replace(dead: string | null, permits?: Permits): Promise<string | Outcome> {
    const { asked_at } = await findSession(db, account);
    const refused = new Set<string>();
    return exchangeUnderLease({
      db,
      lease: gsxLease,
      account,
      permits,
      find: () => findSession(db, account),
      settle(row) {
        if (row.fresh && row.token !== null && row.token !== dead) return row.token;
        // A call that waited while another was refused would only be refused as well.
        return row.refused_at && row.refused_at >= asked_at ? refusal : undefined;
      },
      exchange(row, holder, held) {
        const exchange = exchangeNext(row, holder, refused, held);
        exchanging = exchange.catch(() => undefined);
        return exchange;
      },
    });
  }

  /** Exchanges the next token that was not refused. Returns undefined if there is another token to try or use. */
  async function exchangeNext(
    row: SessionRow,
    holder: string,
    refused: Set<string>,
    permits: Permits | undefined,
  ): Promise<string | Outcome | undefined> {
    const [next, ...others] = listCredentials(row).filter(({ token }) => !refused.has(token));
    const result = next ? await exchangeToken(next.token, permits) : { refused: true as const };
    if ('outcome' in result) return result.outcome;
    if (next && 'token' in result) {
      return keep({ token: result.token, instead: row.token, activationHash: next.hash });
    }
    if (next) refused.add(next.token);
    if (others.length > 0) return undefined;
    return (await storeRefusal(db, account, holder, row.token)) ? refusal : undefined;
  }

  /**
   * Stores a new token, and retries while the database is unavailable. GSX has dropped the old one, so if the new one is
   * lost, a person must fetch an activation token.
   */
  async function keep(fetched: NewToken): Promise<string | undefined> {
    const deadline = performance.now() + keepMs;
    for (;;) {
      try {
        return (await storeToken(db, account, fetched)) ? fetched.token : undefined;
      } catch (error) {
        if (db.ending || performance.now() > deadline) throw error;
        log.warn({ err: error }, 'a new GSX token could not be stored yet');
        await delay(500);
      }
    }
  }

  const replaceOnce = singleFlight(replace);
  return {
    async take(permits) {
      const { token, fresh } = await findSession(db, account);
      return fresh && token !== null ? token : replaceOnce(null, permits);
    },
    renew: replaceOnce,
    async close() {
      await exchanging;
    },
  };
}
