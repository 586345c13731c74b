import { bool, bytea, int2, int4, jsonb, notNull, type RowOf, textOf } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const keptFor = '24 hours';

const insert = statement({
  text: `INSERT INTO uploads (user_id, key, phase) VALUES ($1, $2, 'receiving') ON CONFLICT (user_id, key) DO NOTHING`,
});

/** Stores that a file is being received under a key. An existing upload stays as it is. */
export async function insertUpload(db: Queryable, userId: number, key: string): Promise<void> {
  await insert.run(db, [userId, key]);
}

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

const deleteOld = statement({
  text: `DELETE FROM uploads WHERE created_at < now() - interval '${keptFor}'`,
});

/** Deletes uploads older than 24 hours. */
export async function deleteOldUploads(db: Queryable): Promise<void> {
  await deleteOld.run(db);
}

const findAnswered = statement({
  text: `SELECT status, answer, file_hash FROM uploads WHERE user_id = $1 AND key = $2 AND status IS NOT NULL`,
  row: { status: notNull(int2), answer: notNull(jsonb<unknown>()), file_hash: notNull(bytea) },
});

/** The status and body that a repeat of an ended upload gets. */
export type KeptAnswer = RowOf<typeof findAnswered.row>;

/** Finds the answer stored under a key; undefined without one. */
export function findKeptAnswer(db: Queryable, userId: number, key: string): Promise<KeptAnswer | undefined> {
  return findAnswered.first(db, [userId, key]);
}

const claim = statement({
  text: `INSERT INTO uploads (user_id, key, file_hash, phase) VALUES ($1, $2, $3, 'reading')
     ON CONFLICT (user_id, key) DO UPDATE SET file_hash = $3, phase = 'reading', rows = 0`,
});

/** Begins the import of an upload, or begins it again after the first attempt crashed. */
export async function claimUpload(
  client: Queryable,
  userId: number,
  key: string,
  fileHash: Buffer,
): Promise<void> {
  await claim.run(client, [userId, key, fileHash]);
}

const updateProgress = statement({
  text: 'UPDATE uploads SET phase = $3, rows = $4 WHERE user_id = $1 AND key = $2 AND status IS NULL',
});

/** Stores the progress of an upload that has not ended. */
export async function updateUploadProgress(
  db: Queryable,
  userId: number,
  key: string,
  { phase, rows }: { phase: string; rows: number },
): Promise<void> {
  await updateProgress.run(db, [userId, key, phase, rows]);
}

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

const findProgress = statement({
  text: `SELECT phase, rows FROM uploads
     WHERE user_id = $1 AND key = $2 AND created_at >= now() - interval '${keptFor}'`,
  row: { phase: textOf<'receiving' | 'reading' | 'saving' | 'done' | 'failed'>(), rows: int4 },
});

export type UploadProgress = RowOf<typeof findProgress.row>;

export function findUploadProgress(
  db: Queryable,
  userId: number,
  key: string,
): Promise<UploadProgress | undefined> {
  return findProgress.first(db, [userId, key]);
}
