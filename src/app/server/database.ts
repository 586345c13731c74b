import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { backUpToFolder } from '#server/backup/backup-folder.ts';
import { hasWork } from '#server/backup/tables.queries.ts';
import { isTransientFailure, openClient } from '#server/db/connection/connection.ts';
import { hasStatementTimeout, readBackendPid, readDateStyle } from '#server/db/connection/pooler.queries.ts';
import { migrateDatabase } from '#server/db/migrations/migrate.ts';
import { examineReplica } from '#server/db/replica/examine-replica.ts';
import { findEmbeddedUrl } from '#server/postgres/find-embedded.ts';
import { DataDirInUseError } from '#server/postgres/folder-lock.ts';
import { startEmbeddedPostgres } from '#server/postgres/launcher.ts';
import { type Config, databaseAddresses } from '#server/runtime/config.ts';
import type { Log } from '#server/runtime/log.ts';
import { StartError } from '#server/runtime/start-error.ts';
import type { Stop } from './processes/stop.ts';

/** The connections of the product with one worker, and of each further worker. */
const connections = { product: 100, worker: 10 };
/** How long to wait for a PostgreSQL server that is started at the same time. */
const maxWaitMs = 15_000;
/** After this wait, a line says what the start waits for. */
const noticeMs = 2000;

/**
 * Starts the embedded database or waits for the configured server, and migrates it to this version's schema.
 * @throws StopRequested after a request to stop, before anything is migrated
 * @returns the connection string, not that of a pooler
 */
export async function openDatabase(config: Config, log: Log, stop: Stop): Promise<string> {
  const url = (await reachServer(config, log, stop)) ?? (await startEmbedded(config, log, stop));
  const prepare = async (db: pg.Client, first: string) => {
    await backUpBefore(first, db, url, config, log, stop);
    // The backup took minutes. Stop before the migration, because the previous version cannot start after it.
    stop.check();
  };
  const wait = { signal: stop.signal, log };
  const migrated = await migrateDatabase(url, undefined, prepare, wait).catch((error: unknown) => {
    if (error === stop.signal.reason) stop.check();
    throw error;
  });
  if (migrated.length > 0) log.info({ migrations: migrated }, 'the database was brought up to date');
  return url;
}

/**
 * Backs up a database with tickets before it is migrated, if BACKUP_DIR is set.
 * @throws StartError if that fails, so that nothing is migrated; StopRequested
 */
async function backUpBefore(
  migration: string,
  db: pg.Client,
  url: string,
  { BACKUP_DIR: folder, BACKUP_KEEP: keep, BACKUP_KEY: key, MIN_FREE_MB: minFreeMb }: Config,
  log: Log,
  stop: Stop,
): Promise<void> {
  if (folder === undefined || !(await hasWork(db))) return;
  try {
    const { file, size, undeleted } = await backUpToFolder(db, url, migration, {
      ...{ folder, keep, key, minFreeMb },
      signal: stop.signal,
    });
    log.info({ file, size, before: migration }, 'a backup was made before the migration');
    if (undeleted) log.warn({ err: undeleted }, 'an older backup could not be deleted');
  } catch (error) {
    stop.check();
    throw new StartError(
      `The backup before the migration ${migration} failed, so the database was not migrated: ${(error as Error).message}. ` +
        'Give BACKUP_DIR a folder with room, or unset it to migrate without a backup.',
    );
  }
}

/**
 * Returns the database as it is, without migrating it: the configured server, the embedded database of a running
 * product, or the embedded database, started until the stop.
 */
export async function reachDatabase(config: Config, log: Log, stop: Stop): Promise<string> {
  const url = await reachServer(config, log, stop);
  if (url !== undefined) return url;
  try {
    return await startEmbedded(config, log, stop);
  } catch (error) {
    if (!(error instanceof DataDirInUseError)) throw error;
    const url = await findEmbeddedUrl(config.DATA_DIR);
    if (!url) throw new StartError('The embedded database starts or stops at this moment: try again');
    return url;
  }
}

async function startEmbedded(config: Config, log: Log, stop: Stop): Promise<string> {
  const maxConnections = connections.product + connections.worker * (config.WORKERS - 1);
  const settings = { max_connections: String(maxConnections) };
  const { signal } = stop;
  const options = { dataDir: config.DATA_DIR, log, signal, settings };
  const server = await startEmbeddedPostgres(options).catch((error: unknown) => {
    stop.check();
    throw error;
  });
  stop.onStop(() => server.stop());
  return server.url;
}

/**
 * Waits for the configured server, and for the pooler in front of it.
 * @returns the connection string of the server itself; undefined if none is configured
 */
async function reachServer(config: Config, log: Log, stop: Stop): Promise<string | undefined> {
  const { databaseUrl, poolerUrl } = databaseAddresses(config);
  if (databaseUrl === undefined) return undefined;
  const variable = poolerUrl === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
  if (await askServer(variable, databaseUrl, isPooled, log, stop)) {
    throw new StartError(
      `${variable} leads to a connection pooler: set DATABASE_DIRECT_URL to the address of the PostgreSQL server itself`,
    );
  }
  if (poolerUrl === undefined) return databaseUrl;
  const ask = (client: pg.Client) => hasStatementTimeout.one(client);
  if (!(await askServer('DATABASE_URL', poolerUrl, ask, log, stop)).is_set) {
    log.warn(
      'connections of DATABASE_URL have no statement_timeout: set it in the connect_query of the pooler (docs/operating.md)',
    );
  }
  return databaseUrl;
}

/**
 * Checks the server of DATABASE_READ_URL. A replica that is away or promoted does not hinder the start: the API logs it.
 * @throws StartError if it leads to something else than the database of DATABASE_URL
 */
export async function requireReplica(
  { DATABASE_READ_URL: readUrl }: Config,
  databaseUrl: string,
): Promise<void> {
  if (readUrl === undefined) return;
  const examination = await examineReplica(databaseUrl, readUrl).catch(() => undefined);
  if (!examination || !('reason' in examination) || !examination.isMistake) return;
  throw new StartError(
    `DATABASE_READ_URL takes a streaming replica of the server of DATABASE_URL: ${examination.reason}`,
  );
}

/** Returns whether a pooler answers: the backend's process id differs from the one that the connection got at its start. */
async function isPooled(client: pg.Client): Promise<boolean> {
  // A private field of pg: the process id that the server sent when the connection started.
  const { processID } = client as unknown as { processID: number | null };
  return (await readBackendPid.one(client)).pid !== processID;
}

/**
 * Waits for a server and asks it something, on one connection.
 * @throws StartError if the server does not answer in time, refuses the connection, or writes days unlike the product reads
 * them
 */
async function askServer<T>(
  variable: string,
  url: string,
  ask: (client: pg.Client) => Promise<T>,
  log: Log,
  stop: Stop,
): Promise<T> {
  const client = await waitForServer(variable, url, log, stop);
  try {
    const { style } = await readDateStyle.one(client);
    if (!style.startsWith('ISO')) {
      throw new StartError(
        `${variable} takes a server with the DateStyle ISO, not ${style}: use ALTER ROLE … SET datestyle = 'ISO'`,
      );
    }
    return await ask(client);
  } finally {
    await client.end();
  }
}

async function waitForServer(variable: string, url: string, log: Log, stop: Stop): Promise<pg.Client> {
  const deadline = performance.now() + maxWaitMs;
  let reason = 'no answer';
  const notice = setTimeout(() => {
    log.warn({ reason }, `${variable}: waiting up to ${maxWaitMs / 1000} s for the PostgreSQL server`);
  }, noticeMs);
  try {
    for (;;) {
      stop.check();
      const tried = await openClient({
        connectionString: url,
        connectionTimeoutMillis: Math.max(1, deadline - performance.now()),
        query_timeout: maxWaitMs,
      }).catch((error: Error & { code?: string }) => error);
      if (tried instanceof pg.Client) return tried;
      reason = tried.message || tried.code || reason;
      if (!isTransientFailure(tried) || performance.now() > deadline) {
        throw new StartError(`${variable} takes a PostgreSQL server that answers: ${reason}`);
      }
      await delay(500);
    }
  } finally {
    clearTimeout(notice);
  }
}
