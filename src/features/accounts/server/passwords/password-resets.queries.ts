import { int8 } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const countSince = statement({
  text: 'SELECT count(*) FROM password_resets WHERE user_id = $1 AND created_at > $2',
  row: { count: int8 },
});

/** Counts the links that a user asked for after an instant. */
export async function countResetsSince(tx: Queryable, userId: number, since: Date): Promise<number> {
  return (await countSince.one(tx, [userId, since])).count;
}

const deleteOld = statement({
  text: 'DELETE FROM password_resets WHERE user_id = $1 AND created_at <= $2',
});
const insert = statement({
  text: 'INSERT INTO password_resets (token_hash, user_id, created_at, expires_at) VALUES ($1, $2, $3, $4)',
});

/** Stores a link by the hash of its token, and deletes the user's links from before `since`. */
export async function insertReset(
  tx: Queryable,
  reset: { tokenHash: Buffer; userId: number; createdAt: Date; expiresAt: Date; since: Date },
): Promise<void> {
  await deleteOld.run(tx, [reset.userId, reset.since]);
  await insert.run(tx, [reset.tokenHash, reset.userId, reset.createdAt, reset.expiresAt]);
}

const findOpen = statement({
  text: 'SELECT user_id FROM password_resets WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2',
  row: { user_id: int8 },
});

/** Returns the user of a link that is usable at an instant; undefined when it is not. */
export async function findResetUser(db: Queryable, tokenHash: Buffer, at: Date): Promise<number | undefined> {
  return (await findOpen.first(db, [tokenHash, at]))?.user_id;
}

const take = statement({
  text: 'UPDATE password_resets SET used_at = $2 WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2',
});

/** Uses up a link. Returns whether it was usable. */
export async function takeReset(tx: Queryable, tokenHash: Buffer, at: Date): Promise<boolean> {
  return (await take.run(tx, [tokenHash, at])) === 1;
}

const useUp = statement({
  text: 'UPDATE password_resets SET used_at = $2 WHERE user_id = $1 AND used_at IS NULL',
});

/** Ends every open link of a user. */
export async function endResetLinks(tx: Queryable, userId: number, at: Date): Promise<void> {
  await useUp.run(tx, [userId, at]);
}
