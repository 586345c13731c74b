import { dirname, resolve } from 'node:path';
import type pg from 'pg';
import { countQueue } from '#features/lookups/server/lookups.service.ts';
import { createSecrets } from '#features/sources/server/configuration/secrets.ts';
import { loadSources } from '#features/sources/server/configuration/sources-file.ts';
import { kinds } from '#features/sources/server/kinds/kinds.ts';
import { findLastBackup, findLastGoodBackup } from '#server/backup/backups.queries.ts';
import { openClient } from '#server/db/connection/connection.ts';
import { listAppliedMigrations } from '#server/db/migrations/migrate.queries.ts';
import { readMigrations } from '#server/db/migrations/migrate.ts';
import { examineReplica } from '#server/db/replica/examine-replica.ts';
import { requireMailServer } from '#server/mail/mail.ts';
import { listProcesses } from '#server/processes/processes.queries.ts';
import type { Config } from '#server/runtime/config.ts';
import { exists } from '#server/runtime/exists.ts';
import { readFreeBytes } from '#server/runtime/free-space.ts';
import { productVersion } from '#server/runtime/version.ts';
import { requireOpenableSecrets } from '../secrets/reseal-secrets.ts';
import { readServer } from './doctor.queries.ts';
import { examineSourceStates } from './examine-source-states.ts';
import { type Finding, finding } from './finding.ts';

const megabyte = 1024 * 1024;
const minServerMajor = 15;
const clockWarningMs = 2000;
const clockErrorMs = 30_000;
const oldJobSeconds = 600;
const oldBackupMs = 2 * 24 * 60 * 60 * 1000;
const connectMs = 10_000;

/**
 * Examines a product and everything that it needs.
 * @param reach returns the connection string of its database
 */
export async function examine(config: Config, reach: () => Promise<string>): Promise<Finding[]> {
  const findings = [
    finding('ok', 'version', `Coverdesk ${productVersion}, Node ${process.versions.node}`),
    await attempt(
      'disk',
      () => examineDisk(config.DATA_DIR, config.MIN_FREE_MB, 'Uploads are refused'),
      'Check DATA_DIR.',
    ),
    ...(await examineBackupDisk(config)),
    await attempt('sources', () => examineSources(config)),
    await attempt('mail', () => examineMail(config), 'Check SMTP_URL and the mail server.'),
  ];
  const unavailable = (error: Error) => {
    const place = config.DATABASE_URL
      ? 'DATABASE_URL and the server'
      : 'DATA_DIR and its postgres/server.log';
    return finding('error', 'database', error.message, `Check ${place}.`);
  };
  let url = '';
  let client: pg.Client;
  try {
    url = await reach();
    client = await openClient({
      connectionString: url,
      connectionTimeoutMillis: connectMs,
      query_timeout: connectMs,
    });
  } catch (error) {
    return [...findings, unavailable(error as Error)];
  }
  try {
    findings.push(...(await examineServer(client).catch((error: Error) => [unavailable(error)])));
    if (config.DATABASE_READ_URL) findings.push(await examineReplicaOf(url, config.DATABASE_READ_URL));
    const migrations = await attempt('migrations', () => examineMigrations(client));
    findings.push(migrations);
    // The other examinations need the tables of this version.
    if (migrations.level === 'ok') {
      findings.push(
        await attempt(
          'secrets',
          () => examineSecrets(client),
          'Until then nothing starts. If the key is lost: docs/decisions/014-secrets-at-rest.md.',
        ),
      );
      findings.push(await attempt('queue', () => examineQueue(client)));
      findings.push(await attempt('backup', () => examineBackup(client, config)));
      // A mistake in SOURCES_FILE is already among the findings.
      findings.push(...(await examineSourceStates(client, config).catch(() => [])));
    }
  } finally {
    await client.end();
  }
  return findings;
}

async function attempt(
  subject: string,
  examination: () => Promise<Finding>,
  advice?: string,
): Promise<Finding> {
  try {
    return await examination();
  } catch (error) {
    return finding('error', subject, (error as Error).message.replaceAll('\n', '; '), advice);
  }
}

/** @param consequence the advice to make room begins with it */
async function examineDisk(folder: string, minFreeMb: number, consequence: string): Promise<Finding> {
  const free = Math.floor((await readFreeBytes(folder)) / megabyte);
  const text = `${free} MB free in ${folder}`;
  const advice = `${consequence} below ${minFreeMb} MB (MIN_FREE_MB): make room.`;
  if (free >= 2 * minFreeMb) return finding('ok', 'disk', text);
  return finding(free < minFreeMb ? 'error' : 'warning', 'disk', text, advice);
}

async function examineBackupDisk({ BACKUP_DIR: folder, MIN_FREE_MB }: Config): Promise<Finding[]> {
  if (folder === undefined) return [];
  const examination = async () => {
    const found = await findExisting(folder);
    const disk = await examineDisk(found, MIN_FREE_MB, 'Backups fail');
    return found === folder ? disk : { ...disk, text: `${disk.text}; ${folder} does not exist yet` };
  };
  return [await attempt('disk', examination, 'Check BACKUP_DIR.')];
}

/** Returns a folder, or the nearest one above it that exists: a backup makes the folders that are missing. */
async function findExisting(folder: string): Promise<string> {
  return (await exists(folder)) ? folder : findExisting(dirname(resolve(folder)));
}

async function examineSources(config: Config): Promise<Finding> {
  const sources = await loadSources(config, kinds, process.env);
  const enabled = sources.filter((source) => source.enabled);
  if (enabled.length === 0) {
    return finding(
      'warning',
      'sources',
      'none is enabled',
      'Enable one in SOURCES_FILE: until then no row is looked up.',
    );
  }
  for (const source of enabled) await source.requireFiles(createSecrets(process.env));
  return finding('ok', 'sources', enabled.map(({ name }) => name).join(', '));
}

async function examineMail(config: Config): Promise<Finding> {
  const { SMTP_URL, DATA_DIR } = config;
  if (SMTP_URL === undefined) {
    return finding(
      'warning',
      'mail',
      `mails are files in ${DATA_DIR}/outbox`,
      'Set SMTP_URL and MAIL_FROM to send them.',
    );
  }
  await requireMailServer(SMTP_URL, config);
  return finding('ok', 'mail', `${new URL(SMTP_URL).hostname} answers`);
}

async function examineServer(client: pg.Client): Promise<Finding[]> {
  const askedAt = Date.now();
  const { version, size_bytes, now } = await readServer.one(client);
  // The database read its clock about half way between question and answer.
  const difference = Math.abs((askedAt + Date.now()) / 2 - now.getTime());
  const size = `PostgreSQL ${version}, ${Math.ceil(size_bytes / megabyte)} MB`;
  const isOld = Number.parseInt(version, 10) < minServerMajor;
  const clock = `${(difference / 1000).toFixed(1)} s from the database's`;
  const advice = 'Set both machines by NTP: sessions, limits and schedules go by the clock.';
  return [
    isOld
      ? finding('error', 'database', size, `Coverdesk needs PostgreSQL ${minServerMajor} or newer.`)
      : finding('ok', 'database', size),
    difference > clockWarningMs
      ? finding(difference > clockErrorMs ? 'error' : 'warning', 'clock', clock, advice)
      : finding('ok', 'clock', clock),
  ];
}

async function examineReplicaOf(databaseUrl: string, readUrl: string): Promise<Finding> {
  const advice = 'Reads go to the primary. Check DATABASE_READ_URL and the replica.';
  const examination = await examineReplica(databaseUrl, readUrl).catch((error: Error) => error);
  if (examination instanceof Error) return finding('warning', 'replica', examination.message, advice);
  if ('reason' in examination)
    return finding(examination.isMistake ? 'error' : 'warning', 'replica', examination.reason, advice);
  return finding('ok', 'replica', `${Math.ceil(examination.lagBytes / 1024)} KB behind the primary`);
}

async function examineMigrations(client: pg.Client): Promise<Finding> {
  const codeMigrations = await readMigrations();
  const applied = await listAppliedMigrations.all(client);
  const newer = applied.find(({ number }) => !codeMigrations.some((one) => one.number === number));
  if (newer) {
    return finding(
      'error',
      'migrations',
      `the database has ${newer.name}`,
      'A newer version of Coverdesk made it: start that.',
    );
  }
  const changed = applied.find(({ number, checksum }) =>
    codeMigrations.some((one) => one.number === number && one.checksum !== checksum),
  );
  if (changed) {
    return finding(
      'error',
      'migrations',
      `${changed.name} differs from the one that ran`,
      'Restore the files of the release.',
    );
  }
  const pending = codeMigrations.length - applied.length;
  if (pending > 0)
    return finding('warning', 'migrations', `${pending} have not run`, 'The next start runs them.');
  return finding('ok', 'migrations', `all ${codeMigrations.length} have run`);
}

async function examineSecrets(client: pg.Client): Promise<Finding> {
  await requireOpenableSecrets(client);
  return finding('ok', 'secrets', 'every stored secret can be opened');
}

async function examineQueue(client: pg.Client): Promise<Finding> {
  const [{ ready, active, waiting, oldest_seconds }, processes] = [
    await countQueue.one(client),
    await listProcesses.all(client),
  ];
  const workers = processes.filter(({ kind }) => kind === 'worker').length;
  const text = `${ready} jobs ready, ${active} active, ${waiting} waiting; ${workers} workers`;
  const others = new Set(processes.map(({ version }) => version)).size > 1;
  if (others)
    return finding('warning', 'queue', text, 'Processes of several versions run: finish the upgrade.');
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

async function examineBackup(client: pg.Client, { BACKUP_DIR }: Config): Promise<Finding> {
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
