import { int8 } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

export const countResetsSince = statement({
  text: 'SELECT count(*) FROM password_resets WHERE user_id = $1 AND created_at > $2',
  row: { count: int8 },
}).valueWith<[userId: number, since: Date]>();

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

/** Returns the user of a link that is usable at an instant; undefined when it is not. */
export const findResetUser = statement({
  text: 'SELECT user_id FROM password_resets WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2',
  row: { user_id: int8 },
}).firstValueWith<[tokenHash: Buffer, at: Date]>();

const take = statement({
  text: 'UPDATE password_resets SET used_at = $2 WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2',
});

/** Uses up a link. Returns whether it was usable. */
export async function takeReset(tx: Queryable, tokenHash: Buffer, at: Date): Promise<boolean> {
  return (await take.run(tx, [tokenHash, at])) === 1;
}

export const endResetLinks = statement({
  text: 'UPDATE password_resets SET used_at = $2 WHERE user_id = $1 AND used_at IS NULL',
}).runWith<[userId: number, at: Date]>();
