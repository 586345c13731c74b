import { bool, int8, nullable, type RowOf, text, textOf, timestamptz } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/** Why a backup was made: the schedule, before a migration, or the command. */
export type BackupKind = 'scheduled' | 'migration' | 'command';

const columns = {
  kind: textOf<BackupKind>(),
  started_at: timestamptz,
  ended_at: timestamptz,
  file: nullable(text),
  size_bytes: nullable(int8),
  error: nullable(text),
};
/** A backup that was made, or the error of one that failed. */
export type BackupRecord = RowOf<typeof columns>;

export const insertBackupRecord = statement({
  text: `INSERT INTO backups (kind, started_at, ended_at, file, size_bytes, error)
     VALUES (:kind, :started_at, :ended_at, :file, :size_bytes, :error)`,
  params: columns,
});

/** Returns the last backup, whether it was made or failed. Times would mislead after the clock was set back. */
export const findLastBackup = statement({
  text: `SELECT kind, started_at, ended_at, file, size_bytes, error FROM backups ORDER BY id DESC LIMIT 1`,
  row: columns,
});

export const findLastGoodBackup = statement({
  text: `SELECT kind, started_at, ended_at, file, size_bytes, error FROM backups WHERE error IS NULL ORDER BY id DESC LIMIT 1`,
  row: columns,
});

/**
 * Returns whether a scheduled backup is due: none was made since the last 3 o'clock of the time zone, and none failed within
 * the last hour. A backup whose start is more than an hour in the future is ignored: it is from before a clock was set
 * back. Less is a difference between clocks.
 */
export const isBackupDue = statement({
  text: `WITH quiet AS (
       SELECT (date_trunc('day', :now::timestamptz AT TIME ZONE :timezone - interval '3 hours') + interval '3 hours') AT TIME ZONE :timezone AS at)
     SELECT NOT EXISTS (
       SELECT FROM backups AS b, quiet WHERE b.kind = 'scheduled' AND b.started_at >= quiet.at
         AND b.started_at <= :now::timestamptz + interval '1 hour'
         AND (b.error IS NULL OR b.ended_at > :now::timestamptz - interval '1 hour')) AS due`,
  params: { now: timestamptz, timezone: text },
  row: { due: bool },
});
