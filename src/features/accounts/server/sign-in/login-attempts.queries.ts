import { nullable, timestamptz } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

/** An account and the address that tries its password (docs/rules.md, Accounts). */
export type Pair = { account: string; address: string };

/** The wrong passwords within the window that lock out the pair, the account and the address. */
export type Limits = { pair: number; account: number; address: number };

const lock = statement({ text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))' });

/** Locks a pair, its account and its address for one decision at a time, until the transaction ends. */
export async function lockAttempts(tx: Queryable, { account, address }: Pair): Promise<void> {
  // Always lock in this order to avoid deadlocks.
  await lock.run(tx, [`sign-in ${account} ${address}`]);
  await lock.run(tx, [`sign-in account ${account}`]);
  await lock.run(tx, [`sign-in address ${address}`]);
}

const findOneTooMany = statement({
  text: `SELECT
       (SELECT failed_at FROM login_failures WHERE account = $1 AND address = $2 AND failed_at > $3
        ORDER BY failed_at DESC OFFSET $4 - 1 LIMIT 1) AS pair,
       (SELECT failed_at FROM login_failures WHERE account = $1 AND failed_at > $3
        ORDER BY failed_at DESC OFFSET $5 - 1 LIMIT 1) AS account,
       (SELECT failed_at FROM login_failures WHERE address = $2 AND failed_at > $3
        ORDER BY failed_at DESC OFFSET $6 - 1 LIMIT 1) AS address`,
  row: { pair: nullable(timestamptz), account: nullable(timestamptz), address: nullable(timestamptz) },
});

/** Finds, for each limit reached since an instant, the time of the failure that must leave the window first. */
export function findReached(
  db: Queryable,
  { account, address }: Pair,
  since: Date,
  limits: Limits,
): Promise<{ pair: Date | null; account: Date | null; address: Date | null }> {
  return findOneTooMany.one(db, [account, address, since, limits.pair, limits.account, limits.address]);
}

const insert = statement({
  text: 'INSERT INTO login_failures (account, address, failed_at) VALUES ($1, $2, $3)',
});

export async function insertFailure(tx: Queryable, { account, address }: Pair, at: Date): Promise<void> {
  await insert.run(tx, [account, address, at]);
}

const deleteOfPair = statement({ text: 'DELETE FROM login_failures WHERE account = $1 AND address = $2' });

export async function deleteFailures(tx: Queryable, { account, address }: Pair): Promise<void> {
  await deleteOfPair.run(tx, [account, address]);
}

export const sweepFailures = statement({
  text: `DELETE FROM login_failures WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM login_failures WHERE failed_at <= $1 LIMIT 1000 FOR UPDATE SKIP LOCKED))`,
}).runWith<[before: Date]>();
