import type { Queryable } from '#server/db.ts';

/** An upload under a key, once it has ended: the status and body that a repeat gets. */
export type KeptAnswer = { status: number; answer: unknown; file_hash: Buffer };

const keptFor = '24 hours';

/** Notes that a file is being received under a key; an upload that is there already stays as it is. */
export async function insertUpload(db: Queryable, userId: number, key: string): Promise<void> {
  await db.query(
    `INSERT INTO uploads (user_id, key, phase) VALUES ($1, $2, 'receiving') ON CONFLICT (user_id, key) DO NOTHING`,
    [userId, key],
  );
}

/** Lets one upload under a key go on at a time; the lock ends with the connection. */
export async function lockUpload(client: Queryable, userId: number, key: string): Promise<void> {
  await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [`upload ${userId} ${key}`]);
}

/** Forgets the uploads whose time has passed. */
export async function deleteOldUploads(db: Queryable): Promise<void> {
  await db.query(`DELETE FROM uploads WHERE created_at < now() - interval '${keptFor}'`);
}

/** What was answered under a key; undefined while nothing was. */
export async function findKeptAnswer(
  db: Queryable,
  userId: number,
  key: string,
): Promise<KeptAnswer | undefined> {
  const { rows } = await db.query<KeptAnswer>(
    `SELECT status, answer, file_hash FROM uploads WHERE user_id = $1 AND key = $2 AND status IS NOT NULL`,
    [userId, key],
  );
  return rows[0];
}

/** Begins the import of an upload, or begins it again where the first attempt died. */
export async function claimUpload(
  client: Queryable,
  userId: number,
  key: string,
  fileHash: Buffer,
): Promise<void> {
  await client.query(
    `INSERT INTO uploads (user_id, key, file_hash, phase) VALUES ($1, $2, $3, 'reading')
     ON CONFLICT (user_id, key) DO UPDATE SET file_hash = $3, phase = 'reading', rows = 0`,
    [userId, key, fileHash],
  );
}

/** Tells how far an upload is that has not ended. */
export async function updateUploadProgress(
  db: Queryable,
  userId: number,
  key: string,
  { phase, rows }: { phase: string; rows: number },
): Promise<void> {
  await db.query(
    'UPDATE uploads SET phase = $3, rows = $4 WHERE user_id = $1 AND key = $2 AND status IS NULL',
    [userId, key, phase, rows],
  );
}

/**
 * Keeps the answer of an upload, for repeats.
 * @returns whether it was the first answer
 */
export async function keepAnswer(
  tx: Queryable,
  userId: number,
  key: string,
  kept: { status: number; answer: unknown; phase: 'done' | 'failed'; rows: number },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE uploads SET status = $3, answer = $4, phase = $5, rows = $6
     WHERE user_id = $1 AND key = $2 AND status IS NULL`,
    [userId, key, kept.status, JSON.stringify(kept.answer), kept.phase, kept.rows],
  );
  return rowCount === 1;
}

export type UploadProgress = { phase: 'receiving' | 'reading' | 'saving' | 'done' | 'failed'; rows: number };

export async function findUploadProgress(
  db: Queryable,
  userId: number,
  key: string,
): Promise<UploadProgress | undefined> {
  const { rows } = await db.query<UploadProgress>(
    `SELECT phase, rows FROM uploads
     WHERE user_id = $1 AND key = $2 AND created_at >= now() - interval '${keptFor}'`,
    [userId, key],
  );
  return rows[0];
}
