import {
  bool,
  bytea,
  int2,
  int4,
  int8,
  jsonb,
  notNull,
  type RowOf,
  text,
  textOf,
} from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const keptFor = '24 hours';

/** Stores that a file is being received under a key. An existing upload stays as it is. */
export const insertUpload = statement({
  text: `INSERT INTO uploads (user_id, key, phase) VALUES (:userId, :key, 'receiving') ON CONFLICT (user_id, key) DO NOTHING`,
  params: { userId: int8, key: text },
});

const tryLock = statement({
  text: 'SELECT pg_try_advisory_lock(hashtextextended(:lock, 0)) AS locked',
  params: { lock: text },
  row: { locked: bool },
});

/**
 * Locks a key until the connection ends, so that one upload under it runs at a time.
 * @returns false while another connection holds the lock
 */
export async function tryLockUpload(client: Queryable, userId: number, key: string): Promise<boolean> {
  return (await tryLock.one(client, { lock: `upload ${userId} ${key}` })).locked;
}

export const deleteOldUploads = statement({
  text: `DELETE FROM uploads WHERE created_at < now() - interval '${keptFor}'`,
});

/** Finds the answer stored under a key; undefined without one. */
export const findKeptAnswer = statement({
  text: `SELECT status, answer, file_hash FROM uploads WHERE user_id = :userId AND key = :key AND status IS NOT NULL`,
  params: { userId: int8, key: text },
  row: { status: notNull(int2), answer: notNull(jsonb<unknown>()), file_hash: notNull(bytea) },
});

/** Begins the import of an upload, or begins it again after the first attempt crashed. */
export const claimUpload = statement({
  text: `INSERT INTO uploads (user_id, key, file_hash, phase) VALUES (:userId, :key, :fileHash, 'reading')
     ON CONFLICT (user_id, key) DO UPDATE SET file_hash = :fileHash, phase = 'reading', rows = 0`,
  params: { userId: int8, key: text, fileHash: bytea },
});

export const updateUploadProgress = statement({
  text: 'UPDATE uploads SET phase = :phase, rows = :rows WHERE user_id = :userId AND key = :key AND status IS NULL',
  params: { userId: int8, key: text, phase: text, rows: int4 },
});

const keep = statement({
  text: `UPDATE uploads SET status = :status, answer = :answer, phase = :phase, rows = :rows
     WHERE user_id = :userId AND key = :key AND status IS NULL`,
  params: { userId: int8, key: text, status: int2, answer: jsonb<unknown>(), phase: text, rows: int4 },
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
  return (await keep.run(tx, { ...kept, userId, key })) === 1;
}

const uploadProgress = {
  phase: textOf<'receiving' | 'reading' | 'saving' | 'done' | 'failed'>(),
  rows: int4,
};
export type UploadProgress = RowOf<typeof uploadProgress>;

export const findUploadProgress = statement({
  text: `SELECT phase, rows FROM uploads
     WHERE user_id = :userId AND key = :key AND created_at >= now() - interval '${keptFor}'`,
  params: { userId: int8, key: text },
  row: uploadProgress,
});
