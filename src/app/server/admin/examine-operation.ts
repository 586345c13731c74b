import type pg from 'pg';
import { countQueue } from '#features/lookups/server/lookups.service.ts';
import { countFailingMails } from '#features/operations/server/operations.queries.ts';
import { findLastBackup, findLastGoodBackup } from '#server/backup/backups.queries.ts';
import { listProcesses } from '#server/processes/processes.queries.ts';
import type { Config } from '#server/runtime/config.ts';
import { type Finding, finding } from './finding.ts';

const oldJobSeconds = 600;
const oldBackupMs = 2 * 24 * 60 * 60 * 1000;

/** Returns a finding if processes of several versions run. */
export async function examineVersions(client: pg.Client): Promise<Finding[]> {
  const versions = new Set((await listProcesses.all(client)).map(({ version }) => version));
  if (versions.size <= 1) return [];
  const text = `the versions ${[...versions].sort().join(' and ')} run`;
  return [finding('warning', 'processes', text, 'Finish the upgrade.')];
}

/** Examines whether the jobs of the queue are worked on. */
export async function examineQueue(client: pg.Client): Promise<Finding> {
  const [{ ready, active, waiting, oldest_seconds }, processes] = [
    await countQueue.one(client),
    await listProcesses.all(client),
  ];
  const workers = processes.filter(({ kind }) => kind === 'worker').length;
  const text = `${ready} jobs ready, ${active} active, ${waiting} waiting; ${workers} workers`;
  if (oldest_seconds <= oldJobSeconds) return finding('ok', 'queue', text);
  const age = `${text}; the oldest is ${oldest_seconds} s old`;
  if (workers === 0 && processes.length > 0) {
    return finding(
      'error',
      'queue',
      age,
      'No worker runs: look into the log of npm start or npm run worker.',
    );
  }
  return finding('warning', 'queue', age, 'Look for a source that waits (GET /api/sources), or add workers.');
}

/** Returns a finding if stored mails failed. */
export async function examineStoredMails(client: pg.Client): Promise<Finding[]> {
  const { mails } = await countFailingMails.one(client);
  if (mails === 0) return [];
  const text = `${mails} stored mails failed and are tried again`;
  return [finding('warning', 'mail', text, 'The log of an API process says why (docs/operating.md).')];
}

/** Examines the last backup. */
export async function examineBackup(client: pg.Client, { BACKUP_DIR }: Config): Promise<Finding> {
  const [last, good] = [await findLastBackup.first(client), await findLastGoodBackup.first(client)];
  const advice = BACKUP_DIR
    ? 'The API process makes one each day: look into its log.'
    : 'Set BACKUP_DIR for one each day, or run npm run backup (docs/operating.md).';
  if (!last) return finding('warning', 'backup', 'none was made', advice);
  if (last.error !== null) {
    const remedy =
      last.kind === 'command'
        ? 'Run npm run backup again: check its file and the room there.'
        : 'Check BACKUP_DIR and its room.';
    return finding('error', 'backup', `the last one failed: ${last.error}`, remedy);
  }
  const text = `${last.size_bytes} bytes at ${last.ended_at.toISOString()}`;
  const isOld = !good || Date.now() - good.ended_at.getTime() > oldBackupMs;
  if (isOld) return finding('warning', 'backup', `${text}, over two days ago`, advice);
  return finding('ok', 'backup', text);
}
