import { timestamptz } from '#server/column-types.ts';
import type { Queryable } from '#server/db.ts';
import { statement } from '#server/statement.ts';

/** Failed sign-ins are counted for an account from an address. */
export type Pair = { account: string; address: string };

const lock = statement({ text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))' });

/** Lets one decision about a pair go on at a time, until the transaction ends. */
export async function lockPair(tx: Queryable, { account, address }: Pair): Promise<void> {
  await lock.run(tx, [`sign-in ${account} ${address}`]);
}

const listLatest = statement({
  text: `SELECT failed_at FROM login_failures WHERE account = $1 AND address = $2 AND failed_at > $3
     ORDER BY failed_at DESC LIMIT $4`,
  row: { failed_at: timestamptz },
});

/** The latest failures of a pair since an instant, newest first, at most `limit`. */
export async function listFailures(
  db: Queryable,
  { account, address }: Pair,
  since: Date,
  limit: number,
): Promise<Date[]> {
  const rows = await listLatest.all(db, [account, address, since, limit]);
  return rows.map((row) => row.failed_at);
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

const deleteOld = statement({
  text: `DELETE FROM login_failures WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM login_failures WHERE failed_at <= $1 LIMIT 1000 FOR UPDATE SKIP LOCKED))`,
});

/** Deletes up to 1000 failures of any pair from before an instant. */
export async function sweepFailures(db: Queryable, before: Date): Promise<void> {
  await deleteOld.run(db, [before]);
}
