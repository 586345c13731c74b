import { bytea, int8, timestamptz } from '#server/db/column-types.ts';
import { type CountedWindow, isWithin, windowParams } from '#server/db/counted-window.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const isCounted = isWithin('created_at');

export const countResets = statement({
  text: `SELECT count(*) FROM password_resets WHERE user_id = :userId AND ${isCounted}`,
  params: { userId: int8, ...windowParams },
  row: { count: int8 },
});

const deleteOld = statement({
  text: `DELETE FROM password_resets WHERE user_id = :userId AND NOT ${isCounted}`,
  params: { userId: int8, ...windowParams },
});
const insert = statement({
  text: `INSERT INTO password_resets (token_hash, user_id, created_at, expires_at)
     VALUES (:tokenHash, :userId, :createdAt, :expiresAt)`,
  params: { tokenHash: bytea, userId: int8, createdAt: timestamptz, expiresAt: timestamptz },
});

/** Stores a link by the hash of its token, and deletes those links of the user that do not count any more. */
export async function insertReset(
  tx: Queryable,
  reset: { tokenHash: Buffer; userId: number; createdAt: Date; expiresAt: Date } & CountedWindow,
): Promise<void> {
  await deleteOld.run(tx, reset);
  await insert.run(tx, reset);
}

/** Returns the user of a link that is usable at an instant; undefined when it is not. */
export const findResetUser = statement({
  text: 'SELECT user_id FROM password_resets WHERE token_hash = :tokenHash AND used_at IS NULL AND expires_at > :at',
  params: { tokenHash: bytea, at: timestamptz },
  row: { user_id: int8 },
});

const take = statement({
  text: 'UPDATE password_resets SET used_at = :at WHERE token_hash = :tokenHash AND used_at IS NULL AND expires_at > :at',
  params: { tokenHash: bytea, at: timestamptz },
});

/** Uses up a link. Returns whether it was usable. */
export async function takeReset(tx: Queryable, tokenHash: Buffer, at: Date): Promise<boolean> {
  return (await take.run(tx, { tokenHash, at })) === 1;
}

export const endResetLinks = statement({
  text: 'UPDATE password_resets SET used_at = :at WHERE user_id = :userId AND used_at IS NULL',
  params: { userId: int8, at: timestamptz },
});
