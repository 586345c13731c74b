import type { FastifyInstance } from 'fastify';
import { backUpToFolder } from '#server/backup/backup-folder.ts';
import { isBackupDue } from '#server/backup/backups.queries.ts';
import { Loop } from '#server/concurrency/loop.ts';
import { neverAborts } from '#server/concurrency/never-aborts.ts';
import { whileLocked } from '#server/db/connection/while-locked.ts';
import type { Context } from '#server/runtime/context.ts';

const checkMs = 60_000;
/** The pause of this process after a failed backup, which may not have been recorded for the others. */
const retryMs = 60 * 60 * 1000;
const backupLock = 0x436f7662;

/** Makes the backups of BACKUP_DIR, each by one of all API processes. */
export function scheduleBackups(app: FastifyInstance, context: Context): void {
  if (context.config.BACKUP_DIR === undefined) return;
  const controller = new AbortController();
  // Whether the present round has begun a backup that is not yet made.
  let hasBegun = false;
  const backUp = async () => {
    hasBegun = false;
    await backUpWhenDue(context, controller.signal, () => {
      hasBegun = true;
    });
    hasBegun = false;
  };
  const loop = new Loop(backUp, {
    pauseMs: () => (hasBegun ? retryMs : checkMs),
    onFailure: (err) => {
      if (hasBegun) context.log.error({ err }, 'the scheduled backup failed and is tried again in an hour');
      else context.log.warn({ err }, 'it is not known whether a backup is due: trying again in a minute');
    },
  });
  app.addHook('onListen', async () => loop.wake());
  app.addHook('onClose', async () => {
    controller.abort();
    await loop.stop();
  });
}

/**
 * Makes a scheduled backup if one is due and no other process makes it.
 * @param signal ends the backup when it aborts, which is no failure
 * @param onBegin called before a backup is made
 * @returns whether it made one
 */
export async function backUpWhenDue(
  { config, db, log, databaseUrl, now }: Context,
  signal = neverAborts,
  onBegin?: () => void,
): Promise<boolean> {
  const {
    BACKUP_DIR: folder,
    BACKUP_KEEP: keep,
    BACKUP_KEY: key,
    MIN_FREE_MB: minFreeMb,
    APP_TIMEZONE: timezone,
  } = config;
  if (folder === undefined || !(await isBackupDue.one(db, { now: now(), timezone })).due) return false;
  const made = await whileLocked(databaseUrl, backupLock, async (lockSignal) => {
    if (!(await isBackupDue.one(db, { now: now(), timezone })).due) return false;
    onBegin?.();
    const { file, size, rows, undeleted } = await backUpToFolder(
      db,
      databaseUrl,
      undefined,
      { folder, keep, key, minFreeMb, signal: AbortSignal.any([lockSignal, signal]) },
      now(),
    );
    log.info({ file, size, rows }, 'the scheduled backup was made');
    if (undeleted) log.warn({ err: undeleted }, 'an older backup could not be deleted');
    return true;
  }).catch((error: unknown) => {
    if (error === signal.reason) return false;
    throw error;
  });
  return made ?? false;
}
