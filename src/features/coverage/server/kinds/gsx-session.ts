import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Db, inTransaction } from '#server/db.ts';
import type { Log } from '#server/log.ts';
import { singleFlight } from '#server/single-flight.ts';
import { holdPermit, type Permits } from '../http/permits.ts';
import type { Outcome } from '../sources/source.ts';
import { findSession, lockSession, type SessionRow, saveRefusal, saveToken } from './gsx-session.queries.ts';

/** What GSX said when it was asked to replace a token: the new one, that it refuses, or that it could not say. */
export type TokenResult = { token: string } | { refused: true } | { outcome: Outcome };

type Account = {
  db: Db;
  log: Log;
  /** Names the account; its session belongs to every source and worker that uses the account. */
  account: string;
  /** The one-time token that a person fetched. */
  activationToken: string | undefined;
  /** Asks GSX for a new token in exchange for one. */
  exchangeToken(token: string, permits: Permits | undefined): Promise<TokenResult>;
};

/** The session of a GSX account. */
export type GsxSession = {
  /** A token that is good to use, or why there is none. */
  take(permits?: Permits): Promise<string | Outcome>;
  /** The token after one that GSX did not accept any more; another worker may have fetched it already. */
  renew(dead: string, permits?: Permits): Promise<string | Outcome>;
};

const refusal: Outcome = {
  is: 'auth',
  error:
    'GSX accepts no token of ours: a person must fetch a new activation token and put it into the configuration',
  account: true,
};

type NewToken = Parameters<typeof saveToken>[2];

/** Opens an account's session. Its token is replaced by one worker at a time and kept before anybody uses it. */
export function createGsxSession(options: Account): GsxSession {
  const { db, log, account, activationToken, exchangeToken } = options;
  const activation = activationToken && {
    token: activationToken,
    hash: createHash('sha256').update(activationToken).digest(),
  };

  /** What GSX may exchange: the session's own token first, since an activation token works only once. */
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
    for (;;) {
      // Before the session is locked: nobody who may ask waits for somebody who may not.
      const held = await holdPermit(permits);
      try {
        const replaced = await exchangeNext(dead, asked_at, refused, held.permits);
        if (replaced !== undefined) return replaced;
      } finally {
        held.end();
      }
    }
  }

  /** Exchanges the next of our tokens that GSX has not refused now; undefined: it refuses this one, and there is another. */
  async function exchangeNext(
    dead: string | null,
    askedAt: Date,
    refused: Set<string>,
    permits: Permits | undefined,
  ): Promise<string | Outcome | undefined> {
    let fetched: NewToken | undefined;
    try {
      return await inTransaction(db, async (tx) => {
        const row = await lockSession(tx, account);
        if (row.fresh && row.token !== null && row.token !== dead) return row.token;
        // Who waited for the lock while another was refused would only be refused as well.
        if (row.refused_at && row.refused_at >= askedAt) return refusal;
        const [next, ...others] = listCredentials(row).filter(({ token }) => !refused.has(token));
        const result = next ? await exchangeToken(next.token, permits) : { refused: true as const };
        if ('outcome' in result) return result.outcome;
        if (next && 'token' in result) {
          fetched = { token: result.token, instead: row.token, activationHash: next.hash };
          await saveToken(tx, account, fetched);
          return result.token;
        }
        if (next) refused.add(next.token);
        if (others.length > 0) return undefined;
        await saveRefusal(tx, account);
        return refusal;
      });
    } catch (error) {
      if (!fetched) throw error;
      log.warn({ err: error }, 'a new GSX token could not be kept at first');
      return keep(fetched);
    }
  }

  /** GSX has forgotten the old token already: without the new one a person would have to sign in again. */
  async function keep(fetched: NewToken): Promise<string> {
    for (let rest = 10; ; rest--) {
      try {
        await saveToken(db, account, fetched);
        return fetched.token;
      } catch (error) {
        if (rest === 0) throw error;
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
  };
}
