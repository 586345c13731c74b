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
  type ValuesOf,
} from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const retention = '24 hours';

const uploadKey = { userId: int8, companyCode: text, key: text };
const hasKey = 'user_id = :userId AND company_code = :companyCode AND key = :key';

/** An Idempotency-Key of a user, who had this company then; empty for a superadmin without one. */
export type UploadKey = ValuesOf<typeof uploadKey>;

/** Stores that a file is being received under a key. An existing upload stays as it is. */
export const insertUpload = statement({
  text: `INSERT INTO uploads (user_id, company_code, key, phase) VALUES (:userId, :companyCode, :key, 'receiving')
     ON CONFLICT DO NOTHING`,
  params: uploadKey,
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
export async function tryLockUpload(client: Queryable, key: UploadKey): Promise<boolean> {
  return (await tryLock.one(client, { lock: nameLock(key) })).locked;
}

const tryLockBriefly = statement({
  text: 'SELECT pg_try_advisory_xact_lock(hashtextextended(:lock, 0)) AS free',
  params: { lock: text },
  row: { free: bool },
});

/** Returns whether a connection holds the lock of a key. */
export async function isUploadLocked(db: Queryable, key: UploadKey): Promise<boolean> {
  return !(await tryLockBriefly.one(db, { lock: nameLock(key) })).free;
}

const nameLock = ({ userId, companyCode, key }: UploadKey) => `upload ${userId} ${companyCode} ${key}`;

export const deleteOldUploads = statement({
  text: `DELETE FROM uploads WHERE created_at < now() - interval '${retention}'`,
});

/** Finds the answer stored under a key; undefined without one. */
export const findStoredAnswer = statement({
  text: `SELECT status, answer, file_hash FROM uploads WHERE ${hasKey} AND status IS NOT NULL`,
  params: uploadKey,
  row: { status: notNull(int2), answer: notNull(jsonb<unknown>()), file_hash: notNull(bytea) },
});

/** Begins the import of an upload, or begins it again after the first attempt failed. Its answer is kept from now on. */
export const claimUpload = statement({
  text: `INSERT INTO uploads (user_id, company_code, key, file_hash, phase)
     VALUES (:userId, :companyCode, :key, :fileHash, 'reading')
     ON CONFLICT (user_id, company_code, key)
       DO UPDATE SET file_hash = :fileHash, phase = 'reading', rows = 0, created_at = now()`,
  params: { ...uploadKey, fileHash: bytea },
});

export const updateUploadProgress = statement({
  text: `UPDATE uploads SET phase = :phase, rows = :rows WHERE ${hasKey} AND status IS NULL`,
  params: { ...uploadKey, phase: text, rows: int4 },
});

const store = statement({
  text: `UPDATE uploads SET status = :status, answer = :answer, phase = :phase, rows = :rows
     WHERE ${hasKey} AND status IS NULL`,
  params: { ...uploadKey, status: int2, answer: jsonb<unknown>(), phase: text, rows: int4 },
});

/**
 * Stores the answer of an upload, for repeats.
 * @returns whether it was the first answer
 */
export async function storeAnswer(
  tx: Queryable,
  key: UploadKey,
  result: { status: number; answer: unknown; phase: 'done' | 'failed'; rows: number },
): Promise<boolean> {
  return (await store.run(tx, { ...result, ...key })) === 1;
}

const uploadProgress = {
  phase: textOf<'receiving' | 'reading' | 'saving' | 'done' | 'failed'>(),
  rows: int4,
};
export type UploadProgress = RowOf<typeof uploadProgress>;

export const findUploadProgress = statement({
  text: `SELECT phase, rows FROM uploads
     WHERE ${hasKey} AND created_at >= now() - interval '${retention}'`,
  params: uploadKey,
  row: uploadProgress,
});
