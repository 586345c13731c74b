import type { Queryable } from '#server/db.ts';

/** Locks a user so that two requests for links count one after the other. */
export async function lockUser(tx: Queryable, userId: number): Promise<void> {
  await tx.query('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
}

/** How many links a user asked for after an instant. */
export async function countResetsSince(tx: Queryable, userId: number, since: Date): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    'SELECT count(*) FROM password_resets WHERE user_id = $1 AND created_at > $2',
    [userId, since],
  );
  return rows[0]?.count ?? 0;
}

/** Stores a link by the hash of its token, and forgets the user's links from before `since`. */
export async function insertReset(
  tx: Queryable,
  reset: { tokenHash: Buffer; userId: number; createdAt: Date; expiresAt: Date; since: Date },
): Promise<void> {
  await tx.query('DELETE FROM password_resets WHERE user_id = $1 AND created_at <= $2', [
    reset.userId,
    reset.since,
  ]);
  await tx.query(
    'INSERT INTO password_resets (token_hash, user_id, created_at, expires_at) VALUES ($1, $2, $3, $4)',
    [reset.tokenHash, reset.userId, reset.createdAt, reset.expiresAt],
  );
}

/** Whether a link can still be used at an instant. */
export async function isResetOpen(db: Queryable, tokenHash: Buffer, at: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    'SELECT FROM password_resets WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2',
    [tokenHash, at],
  );
  return rowCount === 1;
}

/** Uses a link: the user whose it is, once; undefined when it cannot be used (any more). */
export async function takeReset(tx: Queryable, tokenHash: Buffer, at: Date): Promise<number | undefined> {
  const { rows } = await tx.query<{ user_id: number }>(
    `UPDATE password_resets SET used_at = $2
     WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2 RETURNING user_id`,
    [tokenHash, at],
  );
  return rows[0]?.user_id;
}

/** Ends every open link of a user. */
export async function useUpResets(tx: Queryable, userId: number, at: Date): Promise<void> {
  await tx.query('UPDATE password_resets SET used_at = $2 WHERE user_id = $1 AND used_at IS NULL', [
    userId,
    at,
  ]);
}
