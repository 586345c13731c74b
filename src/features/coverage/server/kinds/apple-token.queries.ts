import type { Queryable } from '#server/db.ts';
import type { Outcome } from '../sources/source.ts';

/** An API account's access token as it stands in the database. */
export type TokenRow = {
  token: string | null;
  /** Has five minutes left or more. */
  good: boolean;
  /** Has not expired yet. */
  alive: boolean;
  refused_at: Date | null;
  /** Refused within the last minute. */
  refused_lately: boolean;
  /** What the last refusal was. */
  refusal: Outcome | null;
  /** The database's clock, which all workers share. */
  asked_at: Date;
};

/** Reads an account's token without waiting for anybody; all null before the first. */
export async function findToken(db: Queryable, account: string): Promise<TokenRow> {
  const { rows } = await db.query<TokenRow>(
    `SELECT token, refused_at, refusal, clock_timestamp() AS asked_at,
       COALESCE(expires_at > clock_timestamp() + interval '5 minutes', false) AS good,
       COALESCE(expires_at > clock_timestamp(), false) AS alive,
       COALESCE(refused_at > clock_timestamp() - interval '1 minute', false) AS refused_lately
     FROM (SELECT 1) AS one LEFT JOIN apple_tokens ON account = $1`,
    [account],
  );
  if (!rows[0]) throw new Error('a left join without a row');
  return rows[0];
}

/** Locks an account's token until the transaction ends, so that nobody else asks for one meanwhile. */
export async function lockToken(tx: Queryable, account: string): Promise<TokenRow> {
  await tx.query('INSERT INTO apple_tokens (account) VALUES ($1) ON CONFLICT DO NOTHING', [account]);
  await tx.query('SELECT FROM apple_tokens WHERE account = $1 FOR UPDATE', [account]);
  return findToken(tx, account);
}

/** Keeps a new token. */
export async function saveToken(
  tx: Queryable,
  account: string,
  token: string,
  lifeSeconds: number,
): Promise<void> {
  await tx.query(
    `UPDATE apple_tokens SET token = $2, expires_at = clock_timestamp() + $3 * interval '1 second',
       refused_at = NULL, refusal = NULL
     WHERE account = $1`,
    [account, token, lifeSeconds],
  );
}

/** Notes that no token was to be had, and why. */
export async function saveRefusal(tx: Queryable, account: string, refusal: Outcome): Promise<void> {
  await tx.query('UPDATE apple_tokens SET refused_at = clock_timestamp(), refusal = $2 WHERE account = $1', [
    account,
    JSON.stringify(refusal),
  ]);
}
