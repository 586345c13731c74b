import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Db, inTransaction } from '#server/db.ts';
import type { Log } from '#server/log.ts';
import { singleFlight } from '#server/single-flight.ts';
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
  exchangeToken(token: string): Promise<TokenResult>;
};

/** The session of a GSX account. */
export type GsxSession = {
  /** A token that is good to use, or why there is none. */
  take(): Promise<string | Outcome>;
  /** The token after one that GSX did not accept any more; another worker may have fetched it already. */
  renew(dead: string): Promise<string | Outcome>;
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

  async function replace(dead: string | null): Promise<string | Outcome> {
    const { asked_at } = await findSession(db, account);
    let fetched: NewToken | undefined;
    try {
      return await inTransaction(db, async (tx) => {
        const row = await lockSession(tx, account);
        if (row.fresh && row.token !== null && row.token !== dead) return row.token;
        // Who waited for the lock while another was refused would only be refused as well.
        if (row.refused_at && row.refused_at >= asked_at) return refusal;
        for (const { token, hash } of listCredentials(row)) {
          const result = await exchangeToken(token);
          if ('outcome' in result) return result.outcome;
          if ('refused' in result) continue;
          fetched = { token: result.token, instead: row.token, activationHash: hash };
          await saveToken(tx, account, fetched);
          return result.token;
        }
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
    async take() {
      const { token, fresh } = await findSession(db, account);
      return fresh && token !== null ? token : replaceOnce(null);
    },
    renew: replaceOnce,
  };
}
