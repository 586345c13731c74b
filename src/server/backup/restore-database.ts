import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { openClient } from '#server/db/connection/connection.ts';
import {
  createMigrationsTable,
  lockMigrations,
  lockTimeoutCode,
  type Migration,
  readMigrations,
  runMigration,
} from '#server/db/migrations/migrate.ts';
import { leaseMs } from '#server/processes/processes.queries.ts';
import type { Log } from '#server/runtime/log.ts';
import { BackupError } from './backup-error.ts';
import type { Contents } from './contents.ts';
import { loadTables } from './load-tables.ts';
import { verifyBackup } from './read-backup.ts';
import { hasTable, hasWork, listHeartbeats, listObjects, listTables } from './tables.queries.ts';

export type RestoreOptions = {
  url: string;
  file: string;
  /** With a key, a file that is not encrypted is refused: anybody could have made it. */
  key?: string | undefined;
  /** Ends the restore early, which leaves the database as it was. */
  signal?: AbortSignal | undefined;
  /** Gets a line if the restore waits for another process. */
  log?: Log | undefined;
  /** This code's migrations; those of the folder by default. */
  migrations?: Migration[];
};

/** A finished restore. `migrated` names the migrations that brought it forward to this version. */
export type RestoreSummary = {
  version: string;
  createdAt: string;
  tables: number;
  rows: number;
  migrated: string[];
};

const lookMs = 500;
/** How long the restore waits for a table that another session uses. */
const lockTimeoutMs = 5000;

/**
 * Restores a backup into an empty database, in one transaction, and migrates it to this version. It replaces the objects
 * of a new product, such as its first superadmin.
 * @throws BackupError if the file is damaged, has other tables than its version, comes from a newer version, or the
 * database has tickets or is in use
 */
export async function restoreDatabase(options: RestoreOptions): Promise<RestoreSummary> {
  const { url, file, key, signal } = options;
  const codeMigrations = options.migrations ?? (await readMigrations());
  const { contents, tables } = await verifyBackup(file, key, signal);
  const { appliedMigrations, laterMigrations } = divideMigrations(contents, codeMigrations);
  const client = await openClient({ connectionString: url });
  try {
    await lockMigrations(client, options);
    await requireUnused(client);
    await client.query('BEGIN');
    await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    await clear(client).catch((error: Error & { code?: string }) => {
      if (error.code !== lockTimeoutCode) throw error;
      throw new BackupError(
        'Another session uses a table of the database: end it, and run the restore again',
      );
    });
    await createMigrationsTable(client);
    for (const migration of appliedMigrations) await runMigration(client, migration);
    await loadTables(client, file, key, signal);
    for (const migration of laterMigrations) {
      await client.query('SET CONSTRAINTS ALL IMMEDIATE');
      await runMigration(client, migration);
    }
    signal?.throwIfAborted();
    await client.query('COMMIT');
    // The restore is committed. If ANALYZE fails, autovacuum does it later.
    await client.query('ANALYZE').catch(() => undefined);
  } finally {
    // Without a COMMIT this leaves the database as it was.
    await client.end().catch(() => undefined);
  }
  return {
    version: contents.version,
    createdAt: contents.created_at,
    tables: tables.length,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    migrated: laterMigrations.map(({ name }) => name),
  };
}

/** Returns the migrations that the backup has, and those that bring it forward. */
function divideMigrations({ migrations, version }: Contents, codeMigrations: Migration[]) {
  const ran = new Map(migrations.map((migration) => [migration.number, migration]));
  const newer = migrations
    .filter(({ number }) => !codeMigrations.some((one) => one.number === number))
    .at(-1);
  if (newer) {
    throw new BackupError(
      `The backup is newer than this version of Coverdesk (it has ${newer.name}, made by ${version}): restore it by a newer version`,
    );
  }
  const appliedMigrations = codeMigrations.filter(({ number }) => ran.has(number));
  const changed = appliedMigrations.find(({ number, checksum }) => ran.get(number)?.checksum !== checksum);
  if (changed) throw new BackupError(`The migration ${changed.name} differs from the one of the backup`);
  return { appliedMigrations, laterMigrations: codeMigrations.filter(({ number }) => !ran.has(number)) };
}

/** @throws BackupError if the database has tickets, devices or invoices, tables of something else, or processes that still run */
async function requireUnused(client: pg.Client): Promise<void> {
  if (await hasWork(client)) {
    throw new BackupError(
      'The database has tickets, devices or invoices: a backup is restored into an empty database only',
    );
  }
  if (
    !(await hasTable.one(client, { name: 'schema_migrations' })).exists &&
    (await listTables.all(client)).length > 0
  ) {
    throw new BackupError('The database has tables that are not of Coverdesk: choose an empty database');
  }
  if ((await hasTable.one(client, { name: 'processes' })).exists) await untilStopped(client);
}

/**
 * Waits until killed processes count as dead: by the database's clock, or because none sent a heartbeat for so long. One that
 * still sends them refuses the restore.
 */
async function untilStopped(client: pg.Client): Promise<void> {
  const deadline = performance.now() + leaseMs;
  const seenHeartbeats = new Set<string>();
  for (let isFirst = true; ; isFirst = false) {
    const heartbeats = await listHeartbeats.all(client, { ms: leaseMs });
    for (const { kind, host, pid, last_seen } of heartbeats) {
      const heartbeat = `${host} ${pid} ${last_seen.getTime()}`;
      if (!isFirst && !seenHeartbeats.has(heartbeat)) {
        throw new BackupError(
          `The database is in use by the ${kind} on ${host} (process ${pid}): stop Coverdesk before the restore`,
        );
      }
      seenHeartbeats.add(heartbeat);
    }
    if (heartbeats.length === 0 || performance.now() > deadline) return;
    await delay(lookMs);
  }
}

/** Drops the objects that a new product has made in the database. */
async function clear(client: pg.Client): Promise<void> {
  await client.query('SET client_min_messages = warning');
  await client.query('DROP SCHEMA IF EXISTS pgboss CASCADE');
  if (!(await hasTable.one(client, { name: 'schema_migrations' })).exists) return;
  for (const { kind, name } of await listObjects.all(client))
    await client.query(`DROP ${kind} IF EXISTS ${name} CASCADE`);
}
