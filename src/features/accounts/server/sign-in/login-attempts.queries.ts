import { int4, nullable, text, timestamptz } from '#server/db/column-types.ts';
import { type CountedWindow, isWithin, windowParams } from '#server/db/counted-window.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

/** An account and the address that tries its password (docs/rules.md, Accounts). */
export type Pair = { account: string; address: string };

/** The wrong passwords within the window that lock out the pair, the account and the address. */
export type Limits = { pair: number; account: number; address: number };

const lock = statement({
  text: 'SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))',
  params: { key: text },
});

/** Locks a pair, its account and its address for one decision at a time, until the transaction ends. */
export async function lockAttempts(tx: Queryable, { account, address }: Pair): Promise<void> {
  // Always lock in this order to avoid deadlocks.
  await lock.run(tx, { key: `sign-in ${account} ${address}` });
  await lock.run(tx, { key: `sign-in account ${account}` });
  await lock.run(tx, { key: `sign-in address ${address}` });
}

const isCounted = isWithin('failed_at');

const findOneTooMany = statement({
  text: `SELECT
       (SELECT failed_at FROM login_failures WHERE account = :account AND address = :address AND ${isCounted}
        ORDER BY failed_at DESC OFFSET :ofPair - 1 LIMIT 1) AS pair,
       (SELECT failed_at FROM login_failures WHERE account = :account AND ${isCounted}
        ORDER BY failed_at DESC OFFSET :ofAccount - 1 LIMIT 1) AS account,
       (SELECT failed_at FROM login_failures WHERE address = :address AND ${isCounted}
        ORDER BY failed_at DESC OFFSET :ofAddress - 1 LIMIT 1) AS address`,
  params: {
    account: text,
    address: text,
    ...windowParams,
    ofPair: int4,
    ofAccount: int4,
    ofAddress: int4,
  },
  row: { pair: nullable(timestamptz), account: nullable(timestamptz), address: nullable(timestamptz) },
});

/** Finds, for each limit that is reached within a window, the time of the failure that must leave the window first. */
export function findReached(
  db: Queryable,
  { account, address }: Pair,
  window: CountedWindow,
  limits: Limits,
): Promise<{ pair: Date | null; account: Date | null; address: Date | null }> {
  const counts = { ofPair: limits.pair, ofAccount: limits.account, ofAddress: limits.address };
  return findOneTooMany.one(db, { account, address, ...window, ...counts });
}

export const insertFailure = statement({
  text: 'INSERT INTO login_failures (account, address, failed_at) VALUES (:account, :address, :at)',
  params: { account: text, address: text, at: timestamptz },
});

export const deleteFailures = statement({
  text: 'DELETE FROM login_failures WHERE account = :account AND address = :address',
  params: { account: text, address: text },
});

/** Deletes failures outside of a window. */
export const sweepFailures = statement({
  text: `DELETE FROM login_failures WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM login_failures WHERE NOT ${isCounted} LIMIT 1000 FOR UPDATE SKIP LOCKED))`,
  params: windowParams,
});
