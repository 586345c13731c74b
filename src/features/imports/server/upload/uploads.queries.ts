import { bool, bytea, int2, int4, jsonb, notNull, type RowOf, textOf } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const keptFor = '24 hours';

/** Stores that a file is being received under a key. An existing upload stays as it is. */
export const insertUpload = statement({
  text: `INSERT INTO uploads (user_id, key, phase) VALUES ($1, $2, 'receiving') ON CONFLICT (user_id, key) DO NOTHING`,
}).runWith<[userId: number, key: string]>();

const tryLock = statement({
  text: 'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked',
  row: { locked: bool },
});

/**
 * Locks a key until the connection ends, so that one upload under it runs at a time.
 * @returns false while another connection holds the lock
 */
export async function tryLockUpload(client: Queryable, userId: number, key: string): Promise<boolean> {
  return (await tryLock.one(client, [`upload ${userId} ${key}`])).locked;
}

export const deleteOldUploads = statement({
  text: `DELETE FROM uploads WHERE created_at < now() - interval '${keptFor}'`,
}).runWith();

/** Finds the answer stored under a key; undefined without one. */
export const findKeptAnswer = statement({
  text: `SELECT status, answer, file_hash FROM uploads WHERE user_id = $1 AND key = $2 AND status IS NOT NULL`,
  row: { status: notNull(int2), answer: notNull(jsonb<unknown>()), file_hash: notNull(bytea) },
}).firstWith<[userId: number, key: string]>();

/** Begins the import of an upload, or begins it again after the first attempt crashed. */
export const claimUpload = statement({
  text: `INSERT INTO uploads (user_id, key, file_hash, phase) VALUES ($1, $2, $3, 'reading')
     ON CONFLICT (user_id, key) DO UPDATE SET file_hash = $3, phase = 'reading', rows = 0`,
}).runWith<[userId: number, key: string, fileHash: Buffer]>();

export const updateUploadProgress = statement({
  text: 'UPDATE uploads SET phase = $3, rows = $4 WHERE user_id = $1 AND key = $2 AND status IS NULL',
}).runWith<[userId: number, key: string, phase: string, rows: number]>();

const keep = statement({
  text: `UPDATE uploads SET status = $3, answer = $4, phase = $5, rows = $6
     WHERE user_id = $1 AND key = $2 AND status IS NULL`,
});

/**
 * Stores the answer of an upload, for repeats.
 * @returns whether it was the first answer
 */
export async function keepAnswer(
  tx: Queryable,
  userId: number,
  key: string,
  kept: { status: number; answer: unknown; phase: 'done' | 'failed'; rows: number },
): Promise<boolean> {
  const values = [userId, key, kept.status, JSON.stringify(kept.answer), kept.phase, kept.rows];
  return (await keep.run(tx, values)) === 1;
}

const uploadProgress = {
  phase: textOf<'receiving' | 'reading' | 'saving' | 'done' | 'failed'>(),
  rows: int4,
};
export type UploadProgress = RowOf<typeof uploadProgress>;

export const findUploadProgress = statement({
  text: `SELECT phase, rows FROM uploads
     WHERE user_id = $1 AND key = $2 AND created_at >= now() - interval '${keptFor}'`,
  row: uploadProgress,
}).firstWith<[userId: number, key: string]>();
