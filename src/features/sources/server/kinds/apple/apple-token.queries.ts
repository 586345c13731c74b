import {
  bool,
  float8,
  jsonb,
  nullable,
  type RowOf,
  text,
  timestamptz,
  uuid,
} from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import { findVault } from '#server/vault/vault.ts';
import type { Outcome } from '../../configuration/source.ts';
import { isHeld } from '../tokens/token-lease.queries.ts';

const tokenRow = {
  token: nullable(text),
  /** Whether it lives for five minutes or more. */
  good: bool,
  /** Whether it has not expired. */
  alive: bool,
  refused_at: nullable(timestamptz),
  /** Whether a request was refused within the last minute. */
  refused_lately: bool,
  /** The outcome of the last refusal. */
  refusal: nullable(jsonb<Outcome>()),
  /** Whether a worker holds the lease to request the next token. */
  held: bool,
  /** The database's time, which all workers share. */
  asked_at: timestamptz,
};

/** The stored access token of an API account. */
export type TokenRow = RowOf<typeof tokenRow>;

const find = statement({
  name: 'find-apple-token',
  text: `SELECT token, refused_at, refusal, clock_timestamp() AS asked_at,
       ${isHeld} AS held,
       COALESCE(expires_at > clock_timestamp() + interval '5 minutes', false) AS good,
       COALESCE(expires_at > clock_timestamp(), false) AS alive,
       COALESCE(refused_at BETWEEN clock_timestamp() - interval '1 minute' AND clock_timestamp(), false) AS refused_lately
     FROM (SELECT 1) AS one LEFT JOIN apple_tokens ON account = :account`,
  params: { account: text },
  row: tokenRow,
});

/** Reads an account's token without a lock. All null before the first. */
export async function findToken(db: Queryable, account: string): Promise<TokenRow> {
  const row = await find.one(db, { account });
  return { ...row, token: row.token === null ? null : findVault().open('token', row.token) };
}

const store = statement({
  text: `UPDATE apple_tokens SET token = :token, expires_at = clock_timestamp() + :lifeSeconds * interval '1 second',
       refused_at = NULL, refusal = NULL
     WHERE account = :account AND holder = :holder`,
  params: { account: text, holder: uuid, token: text, lifeSeconds: float8 },
});

/** Stores a new token, unless the lease was lost to a worker that stores its own. */
export async function storeToken(
  db: Queryable,
  account: string,
  holder: string,
  { token, lifeSeconds }: { token: string; lifeSeconds: number },
): Promise<void> {
  await store.run(db, { account, holder, token: findVault().seal('token', token), lifeSeconds });
}

/** Stores Apple's refusal, unless the lease was lost. */
export const storeRefusal = statement({
  text: `UPDATE apple_tokens SET refused_at = clock_timestamp(), refusal = :refusal
     WHERE account = :account AND holder = :holder`,
  params: { account: text, holder: uuid, refusal: jsonb<Outcome>() },
});
