import { int8, text, timestamptz } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import type { Pair } from './login-attempts.queries.ts';

const find = statement({
  text: `SELECT FROM known_addresses k JOIN users u ON u.id = k.user_id
     WHERE lower(u.email) = :account AND k.address = :address AND k.seen_at > :since`,
  params: { account: text, address: text, since: timestamptz },
});

/** Returns whether the account's owner has signed in from an address since an instant. */
export async function isKnownAddress(
  db: Queryable,
  { account, address }: Pair,
  since: Date,
): Promise<boolean> {
  return (await find.run(db, { account, address, since })) > 0;
}

const upsert = statement({
  text: `INSERT INTO known_addresses (user_id, address, seen_at) VALUES (:userId, :address, :at)
     ON CONFLICT (user_id, address) DO UPDATE SET seen_at = excluded.seen_at`,
  params: { userId: int8, address: text, at: timestamptz },
});
const deleteOldest = statement({
  text: `DELETE FROM known_addresses WHERE user_id = :userId AND address NOT IN (
       SELECT address FROM known_addresses WHERE user_id = :userId ORDER BY seen_at DESC LIMIT :limit)`,
  params: { userId: int8, limit: int8 },
});

/** Stores that a user signed in from an address, and deletes all but the latest `limit` addresses. */
export async function rememberAddress(
  tx: Queryable,
  { userId, address, at, limit }: { userId: number; address: string; at: Date; limit: number },
): Promise<void> {
  await upsert.run(tx, { userId, address, at });
  await deleteOldest.run(tx, { userId, limit });
}
