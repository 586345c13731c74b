import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Queryable } from '#server/db/db.ts';
import { productVersion } from '#server/runtime/version.ts';
import { type BackupOptions, type BackupSummary, backupDatabase } from './backup-database.ts';
import { BackupError } from './backup-error.ts';
import { type BackupKind, type BackupRecord, insertBackupRecord } from './backups.queries.ts';
import { hasTable } from './tables.queries.ts';

/**
 * The folder of kept backups. `minFreeMb` (megabytes of its disk) stay free, because the database may need it. `signal` ends
 * a backup early.
 */
export type BackupFolder = Pick<BackupOptions, 'signal'> & {
  folder: string;
  keep: number;
  key: string | undefined;
  minFreeMb: number;
};

const ownFile = /^coverdesk-\d{8}T\d{6}Z-[\w.+-]+\.(tar\.gz|enc)$/;
const ownPartial = /^coverdesk-\d{8}T\d{6}Z-[\w.+-]+\.(tar\.gz|enc)\.partial$/;
/** A partial file that was not written to for this long belongs to a killed process. */
const abandonedMs = 24 * 60 * 60 * 1000;

/** A backup in the folder, and the error of an older one, or of a part of one, that could not be deleted. */
export type StoredBackup = BackupSummary & { file: string; undeleted: unknown };

/**
 * Makes a backup in the folder, records it, and deletes the oldest ones and those that were cut off.
 * @param migration the name of the migration that follows; undefined for a scheduled backup
 * @throws the error of a backup that failed
 */
export async function backUpToFolder(
  db: Queryable,
  url: string,
  migration: string | undefined,
  { folder, keep, key, minFreeMb, signal }: BackupFolder,
  now = new Date(),
): Promise<StoredBackup> {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const purpose = migration === undefined ? '' : `-before-${basename(migration, '.sql')}`;
  const name = `coverdesk-${time}-${productVersion}${purpose}.${key === undefined ? 'tar.gz' : 'enc'}`;
  const file = join(folder, name);
  const kind = migration === undefined ? 'scheduled' : 'migration';
  let undeleted: unknown;
  const noteUndeleted = (error: unknown) => {
    undeleted = error;
  };
  const deleteFiles = async (names: string[]) => {
    for (const name of names) await rm(join(folder, name), { force: true }).catch(noteUndeleted);
  };
  const summary = await recordBackup(db, kind, now, file, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await listAbandoned(folder, kind).then(deleteFiles).catch(noteUndeleted);
    const backup = await backupDatabase({ url, file, key, minFreeMb, signal });
    // Before the record, which a failing database may refuse again and again. The new backup is good in any case.
    await listOldest(folder, keep, name, purpose).then(deleteFiles).catch(noteUndeleted);
    return backup;
  });
  return { ...summary, file, undeleted };
}

/**
 * Lists the files to delete, which leaves the newest file and those before it. Files with a later time are from before the
 * clock was set back: the oldest. A backup before a migration replaces earlier ones before the same migration, because a
 * migration that fails at each restart would otherwise soon replace all other backups.
 */
async function listOldest(folder: string, keep: number, newest: string, purpose: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => ownFile.test(name)).sort();
  const later = names.filter((name) => name > newest);
  const inOrder = [...later, ...names.filter((name) => name <= newest)];
  const isRepeated = (name: string) => purpose !== '' && name !== newest && name.includes(`${purpose}.`);
  const others = inOrder.filter((name) => !isRepeated(name));
  return [...inOrder.filter(isRepeated), ...others.slice(0, -keep)];
}

/**
 * Lists the partial files that no process writes any more. Under the lock of migrations these are all of backups before a
 * migration: a start that is killed again and again would otherwise soon fill the disk.
 */
async function listAbandoned(folder: string, kind: BackupKind): Promise<string[]> {
  const before = Date.now() - abandonedMs;
  const abandoned: string[] = [];
  for (const name of (await readdir(folder)).filter((one) => ownPartial.test(one))) {
    // Another process may have completed it since.
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: before }));
    if (mtimeMs < before || (kind === 'migration' && name.includes('-before-'))) abandoned.push(name);
  }
  return abandoned;
}

/** Makes a backup and records it, also one that fails, unless it was stopped. */
export async function recordBackup(
  db: Queryable,
  kind: BackupKind,
  startedAt: Date,
  file: string,
  make: () => Promise<BackupSummary>,
): Promise<BackupSummary> {
  // Before the migration that makes the table there is nothing to record in.
  const note = async (part: Pick<BackupRecord, 'file' | 'size_bytes' | 'error'>) => {
    if (!(await hasTable.one(db, { name: 'backups' })).exists) return;
    await insertBackupRecord.run(db, { kind, started_at: startedAt, ended_at: new Date(), ...part });
  };
  let summary: BackupSummary;
  try {
    summary = await make();
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    // Throws the backup's failure, even if it cannot be recorded.
    await note({ file: null, size_bytes: null, error: (error as Error).message }).catch(() => undefined);
    throw error;
  }
  await note({ file, size_bytes: summary.size, error: null }).catch((error: Error) => {
    throw new BackupError(`${file} was written, but not recorded: ${error.message}`);
  });
  return summary;
}
