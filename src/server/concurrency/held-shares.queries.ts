import { int8, notNull, text, uuid } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

/** How long a share is held after it was taken or renewed. */
export const leaseMs = 20_000;

const lock = statement({
  text: "SELECT pg_advisory_xact_lock(hashtextextended('share ' || :kind, 0))",
  params: { kind: text },
});
const deleteExpired = statement({
  // A lease that ends later than any is from before the database's clock was set back.
  text: `WITH shortened AS (
       UPDATE held_shares SET expires_at = clock_timestamp() + interval '${leaseMs} milliseconds'
       WHERE kind = :kind AND expires_at > clock_timestamp() + interval '${leaseMs} milliseconds')
     DELETE FROM held_shares WHERE kind = :kind AND expires_at < now()`,
  params: { kind: text },
});
const sum = statement({
  text: `SELECT coalesce(sum(amount), 0)::bigint AS everybody,
       coalesce(sum(amount) FILTER (WHERE company = :company), 0)::bigint AS company,
       coalesce(sum(amount) FILTER (WHERE company = :company AND user_id = :userId), 0)::bigint AS own
     FROM held_shares WHERE kind = :kind`,
  params: { kind: text, company: text, userId: int8 },
  row: { everybody: notNull(int8), company: notNull(int8), own: notNull(int8) },
});

/** The amounts that are held by everybody, by a company, and by one of its users. */
export type ShareTotals = { everybody: number; company: number; own: number };

/** Returns the held amounts of a kind, and locks them until the transaction ends. */
export async function lockShareTotals(
  tx: Queryable,
  kind: string,
  company: string,
  userId: number,
): Promise<ShareTotals> {
  await lock.run(tx, { kind });
  await deleteExpired.run(tx, { kind });
  return sum.one(tx, { kind, company, userId });
}

/** Takes a share, or renews it. One that was lost during an outage of the database is taken again. */
export const storeShare = statement({
  text: `INSERT INTO held_shares (id, kind, user_id, company, amount, expires_at)
     VALUES (:id, :kind, :userId, :company, :amount, now() + interval '${leaseMs} milliseconds')
     ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at`,
  params: { id: uuid, kind: text, userId: int8, company: text, amount: int8 },
});

export const deleteShare = statement({
  text: 'DELETE FROM held_shares WHERE id = :id',
  params: { id: uuid },
});
