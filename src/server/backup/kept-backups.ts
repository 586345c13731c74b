import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Queryable } from '#server/db/db.ts';
import { productVersion } from '#server/runtime/version.ts';
import { type BackupOptions, backupDatabase, type MadeBackup } from './backup-database.ts';
import { type BackupKind, insertBackupRecord } from './backups.queries.ts';
import { hasTable } from './tables.queries.ts';

/**
 * The folder of kept backups. `minFreeMb` (megabytes of its disk) stay free, because the database may need it. `signal` ends
 * a backup early.
 */
export type Keeping = Pick<BackupOptions, 'signal'> & {
  folder: string;
  keep: number;
  key: string | undefined;
  minFreeMb: number;
};

const ownFile = /^coverdesk-\d{8}T\d{6}Z-[\w.+-]+\.(tar\.gz|enc)$/;
const ownPartial = /^coverdesk-\d{8}T\d{6}Z-[\w.+-]+\.(tar\.gz|enc)\.partial$/;
/** A partial file that was not written to for this long belongs to a killed process. */
const abandonedMs = 24 * 60 * 60 * 1000;

/** Makes a backup in the folder, records it, and deletes the oldest ones and those that were cut off. @throws the error of a backup that failed */
export async function makeKeptBackup(
  db: Queryable,
  url: string,
  kind: BackupKind,
  { folder, keep, key, minFreeMb, signal }: Keeping,
  now = new Date(),
): Promise<MadeBackup & { file: string }> {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const file = join(folder, `coverdesk-${time}-${productVersion}.${key === undefined ? 'tar.gz' : 'enc'}`);
  const made = await recordBackup(db, kind, now, { url, file, key, minFreeMb, signal }, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await deleteAbandoned(folder);
  });
  const names = (await readdir(folder)).filter((name) => ownFile.test(name)).sort();
  for (const name of names.slice(0, -keep)) await rm(join(folder, name), { force: true });
  return { ...made, file };
}

async function deleteAbandoned(folder: string): Promise<void> {
  const before = Date.now() - abandonedMs;
  for (const name of (await readdir(folder)).filter((one) => ownPartial.test(one))) {
    const file = join(folder, name);
    // Another process may have completed it since.
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: before }));
    if (mtimeMs < before) await rm(file, { force: true });
  }
}

/** Makes a backup and records it, also one that fails, unless it was stopped. */
export async function recordBackup(
  db: Queryable,
  kind: BackupKind,
  startedAt: Date,
  options: BackupOptions,
  prepare?: () => Promise<unknown>,
): Promise<MadeBackup> {
  // Before the migration that makes the table there is nothing to record in.
  const note = async (part: { size_bytes: number | null; error: string | null }) => {
    if (!(await hasTable.one(db, { name: 'backups' })).exists) return;
    const file = part.error === null ? options.file : null;
    await insertBackupRecord(db, { kind, started_at: startedAt, ended_at: new Date(), file, ...part });
  };
  let made: MadeBackup;
  try {
    await prepare?.();
    made = await backupDatabase(options);
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    // The failure counts, not that it cannot be recorded.
    await note({ size_bytes: null, error: (error as Error).message }).catch(() => undefined);
    throw error;
  }
  await note({ size_bytes: made.size, error: null });
  return made;
}
