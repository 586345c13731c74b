import { join, resolve } from 'node:path';
import { backupDatabase } from '#server/backup/backup-database.ts';
import { BackupError } from '#server/backup/backup-error.ts';
import { recordBackup } from '#server/backup/backup-folder.ts';
import { isEncryptedBackup } from '#server/backup/read-backup.ts';
import { restoreDatabase } from '#server/backup/restore-database.ts';
import { withDb } from '#server/db/connection/open-db.ts';
import { type Config, ConfigError, databaseAddresses } from '#server/runtime/config.ts';
import { exists } from '#server/runtime/exists.ts';
import { StartError } from '#server/runtime/start-error.ts';
import { reachDatabase } from '../database.ts';
import type { CommandOptions } from '../processes/command-options.ts';
import { type Stop, StopRequested } from '../processes/stop.ts';

/** Writes a backup of the database, which may be in use: `backup FILE [--encrypt]`. */
export async function runBackup({ config, log, stop, args, print }: CommandOptions): Promise<void> {
  const [file, ...more] = args.filter((word) => word !== '--encrypt');
  if (!file || file.startsWith('-') || more.length > 0) {
    throw new StartError('usage: npm run backup -- FILE [--encrypt]');
  }
  const key = args.includes('--encrypt') ? requireKey(config) : undefined;
  await requireDatabase(config);
  const { size, tables, rows } = await unlessStopped(stop, `${file} was not written`, async () => {
    const url = await reachDatabase(config, log, stop);
    const options = { url, file: resolvePath(file), key, signal: stop.signal };
    return withDb(url, log, (db) =>
      recordBackup(db, 'command', new Date(), options.file, () => backupDatabase(options)),
    );
  });
  print(`Backup complete: ${rows} rows of ${tables} tables, ${size} bytes in ${file}`);
  print('SECRETS_KEY and JWT_SECRET are not in it: keep them, and SOURCES_FILE, in another place.');
  stop.request('gently');
}

/** Restores a backup into an empty database: `restore FILE [--unencrypted]`. */
export async function runRestore({ config, log, stop, args, print }: CommandOptions): Promise<void> {
  const [file, ...more] = args.filter((word) => word !== '--unencrypted');
  if (!file || file.startsWith('-') || more.length > 0)
    throw new StartError('usage: npm run restore -- FILE [--unencrypted]');
  const path = resolvePath(file);
  const isUnencrypted = args.includes('--unencrypted');
  if (isUnencrypted && (await isEncryptedBackup(path)))
    throw new BackupError(`${file} is encrypted: leave out --unencrypted`);
  const target = describeTarget(config);
  print(`Restoring ${file} into ${target}`);
  const restored = await unlessStopped(stop, 'nothing was restored', async () =>
    restoreDatabase({
      url: await reachDatabase(config, log, stop),
      file: path,
      key: isUnencrypted ? undefined : config.BACKUP_KEY,
      signal: stop.signal,
      log,
    }),
  );
  const { rows, tables, version, createdAt, migrated } = restored;
  print(
    `Restore complete: ${rows} rows of ${tables} tables in ${target}, backed up by version ${version} at ${createdAt}`,
  );
  if (migrated.length > 0) print(`Migrated to this version: ${migrated.join(', ')}`);
  print('Start Coverdesk with the SECRETS_KEY and JWT_SECRET of the product that was backed up.');
  stop.request('gently');
}

/** Returns the name of the database that a restore fills, without the password. */
function describeTarget(config: Config): string {
  const { databaseUrl } = databaseAddresses(config);
  if (databaseUrl === undefined) return `the embedded database of DATA_DIR (${config.DATA_DIR})`;
  const { host, pathname } = new URL(databaseUrl);
  return `the database ${pathname.slice(1)} on ${host}`;
}

/** @throws BackupError with `consequence` if a stop was requested, so that the exit code is not 0; the error of `stop.fail` */
async function unlessStopped<T>(stop: Stop, consequence: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const isInterrupted = error instanceof StopRequested || (error as Error).name === 'AbortError';
    if (!stop.signal.aborted || !isInterrupted) throw error;
    await stop.requested;
    throw new BackupError(`Stopped: ${consequence}.`);
  }
}

function requireKey({ BACKUP_KEY }: Config): string {
  if (BACKUP_KEY === undefined)
    throw new ConfigError(['BACKUP_KEY is required with --encrypt: at least 32 bytes']);
  return BACKUP_KEY;
}

/** Checks that DATA_DIR has a database, so that a mistyped folder is not backed up as a new product. */
export async function requireDatabase({ DATA_DIR: folder, DATABASE_URL }: Config): Promise<void> {
  if (DATABASE_URL || (await exists(join(folder, 'postgres', 'cluster')))) return;
  throw new BackupError(`DATA_DIR takes the folder of a product: there is no database in ${folder}`);
}

/** Resolves a path of the command line from the folder where npm was called. */
function resolvePath(file: string): string {
  return resolve(process.env.INIT_CWD ?? '', file);
}
