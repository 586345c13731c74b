import type pg from 'pg';
import { openClient } from '#server/db/connection/connection.ts';
import type { Config } from '#server/runtime/config.ts';
import { productVersion } from '#server/runtime/version.ts';
import { examineMigrations, examineReplicaOf, examineSecrets, examineServer } from './examine-database.ts';
import { examineBackupDisk, examineDataDisk, examineMail, examineSources } from './examine-environment.ts';
import { examineBackup, examineQueue, examineStoredMails, examineVersions } from './examine-operation.ts';
import { examineSourceStates } from './examine-source-states.ts';
import { attempt, type Finding, finding } from './finding.ts';

const connectMs = 10_000;

/**
 * Examines a product and everything that it needs.
 * @param reach returns the connection string of its database
 */
export async function examine(config: Config, reach: () => Promise<string>): Promise<Finding[]> {
  const { BACKUP_DIR } = config;
  return [
    finding('ok', 'version', `Coverdesk ${productVersion}, Node ${process.versions.node}`),
    ...(await attempt('disk', () => examineDataDisk(config), 'Check DATA_DIR.')),
    ...(BACKUP_DIR === undefined
      ? []
      : await attempt('disk', () => examineBackupDisk(BACKUP_DIR, config), 'Check BACKUP_DIR.')),
    ...(await attempt('sources', () => examineSources(config))),
    ...(await attempt('mail', () => examineMail(config), 'Check SMTP_URL and the mail server.')),
    ...(await examineDatabase(config, reach)),
  ];
}

/** Examines the database, and the product by what is in it. */
async function examineDatabase(config: Config, reach: () => Promise<string>): Promise<Finding[]> {
  const place = config.DATABASE_URL ? 'DATABASE_URL and the server' : 'DATA_DIR and its postgres/server.log';
  const advice = `Check ${place}.`;
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
    return [finding('error', 'database', (error as Error).message, advice)];
  }
  try {
    const findings = await attempt('database', () => examineServer(client), advice);
    if (config.DATABASE_READ_URL) findings.push(await examineReplicaOf(url, config.DATABASE_READ_URL));
    const migrations = await attempt('migrations', () => examineMigrations(client));
    findings.push(...migrations);
    // The other examinations need the tables of this version.
    if (migrations.some(({ level }) => level !== 'ok')) return findings;
    const ifLost = 'Until then nothing starts. If the key is lost: docs/decisions/014-secrets-at-rest.md.';
    findings.push(
      ...(await attempt('secrets', () => examineSecrets(client), ifLost)),
      ...(await attempt('processes', () => examineVersions(client))),
      ...(await attempt('queue', () => examineQueue(client))),
      ...(await attempt('mail', () => examineStoredMails(client))),
      ...(await attempt('backup', () => examineBackup(client, config))),
      ...(await attempt('sources', () => examineSourceStates(client, config))),
    );
    return findings;
  } finally {
    await client.end();
  }
}
