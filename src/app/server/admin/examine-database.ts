import type pg from 'pg';
import { listAppliedMigrations } from '#server/db/migrations/migrate.queries.ts';
import { readMigrations } from '#server/db/migrations/migrate.ts';
import { examineReplica } from '#server/db/replica/examine-replica.ts';
import { requireOpenableSecrets } from '../secrets/reseal-secrets.ts';
import { readServer } from './doctor.queries.ts';
import { type Finding, finding } from './finding.ts';

const megabyte = 1024 * 1024;
const minServerMajor = 15;
const clockWarningMs = 2000;
const clockErrorMs = 30_000;

/** Examines the version of the server and its clock. */
export async function examineServer(client: pg.Client): Promise<Finding[]> {
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

/** Examines the replica of DATABASE_READ_URL. */
export async function examineReplicaOf(databaseUrl: string, readUrl: string): Promise<Finding> {
  const advice = 'Reads go to the primary. Check DATABASE_READ_URL and the replica.';
  const examination = await examineReplica(databaseUrl, readUrl).catch((error: Error) => error);
  if (examination instanceof Error) return finding('warning', 'replica', examination.message, advice);
  if ('reason' in examination)
    return finding(examination.isMistake ? 'error' : 'warning', 'replica', examination.reason, advice);
  return finding('ok', 'replica', `${Math.ceil(examination.lagBytes / 1024)} KB behind the primary`);
}

/** Returns `ok` if the database has the tables of this version. */
export async function examineMigrations(client: pg.Client): Promise<Finding> {
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

/** Examines whether SECRETS_KEY opens the stored secrets. @throws StartError if it does not */
export async function examineSecrets(client: pg.Client): Promise<Finding> {
  await requireOpenableSecrets(client);
  return finding('ok', 'secrets', 'every stored secret can be opened');
}
