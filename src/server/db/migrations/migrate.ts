import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '#server/runtime/log.ts';
import { StartError } from '#server/runtime/start-error.ts';
import { openClient } from '../connection/connection.ts';
import type { Queryable } from '../db.ts';
import { findUnknownMigration, listAppliedMigrations } from './migrate.queries.ts';

/** The error when this version of the code cannot work with the database. */
export class MigrationError extends StartError {}

/** A numbered SQL file. `checksum` detects a file that was edited after it ran. */
export type Migration = { number: number; name: string; sql: string; checksum: string };

const folder = new URL('../../../../migrations/', import.meta.url);
const migrationLock = 0x436f766d;

/** After this wait, a line says what the process waits for. */
const noticeMs = 2000;
/** How long a migration waits for a lock. The running product waits behind it, for up to 15 s. */
const lockTimeoutMs = 5000;
/** The pause in which the running product's statements go on. */
const lockRetryMs = 1000;
/** PostgreSQL's code for a lock that was not free in time. */
export const lockTimeoutCode = '55P03';

/** How a process waits for another one that uses the database. */
export type MigrationWait = {
  /** Ends the wait. */
  signal?: AbortSignal | undefined;
  log?: Log | undefined;
};

/**
 * Waits until no other process migrates or restores the database, and keeps others waiting until the connection ends.
 * @throws the signal's reason, with the connection ended
 */
export async function lockMigrations(client: pg.Client, { signal, log }: MigrationWait = {}): Promise<void> {
  signal?.throwIfAborted();
  const notice = setTimeout(
    () => log?.warn('waiting for another process that migrates or restores the database'),
    noticeMs,
  );
  const leave = () => void client.end();
  signal?.addEventListener('abort', leave);
  try {
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    signal?.throwIfAborted();
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  } finally {
    clearTimeout(notice);
    signal?.removeEventListener('abort', leave);
  }
}

/** Reads this code's migrations, in order. The checksum ignores line endings. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const migrations = await Promise.all(
    names.map(async (name) => {
      const number = Number(/^(\d{3})-/.exec(name)?.[1]);
      const sql = (await readFile(new URL(name, folder), 'utf8')).replaceAll('\r\n', '\n');
      return { number, name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
  for (const [index, { number, name }] of migrations.entries()) {
    if (!(number > (migrations[index - 1]?.number ?? 0))) {
      throw new MigrationError(`Every migration has a three-digit number of its own: ${name}`);
    }
  }
  return migrations;
}

/**
 * Runs the missing migrations, each in its own transaction. Concurrent calls wait for each other.
 * @param beforeMigrating called with the first migration that will run; its error leaves the database as it was
 * @returns the names of the migrations that ran
 * @throws MigrationError when the database is newer than the code, or a migration changed after it ran; the reason of the
 * wait's signal
 */
export async function migrateDatabase(
  url: string,
  migrations?: Migration[],
  beforeMigrating?: (db: pg.Client, first: string) => Promise<void>,
  wait?: MigrationWait,
): Promise<string[]> {
  const codeMigrations = migrations ?? (await readMigrations());
  const client = await openClient({ connectionString: url });
  try {
    await lockMigrations(client, wait);
    const pending = await findPending(client, codeMigrations);
    if (pending[0]) await beforeMigrating?.(client, pending[0].name);
    for (const migration of pending) await applyMigration(client, migration, wait);
    return pending.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/**
 * Checks that no newer version has migrated the database.
 * @param codeNumbers the numbers of this code's migrations
 * @throws MigrationError that names the newest migration
 */
export async function requireKnownSchema(db: Queryable, codeNumbers: number[]): Promise<void> {
  const newer = (await findUnknownMigration.first(db, { known: codeNumbers }))?.name;
  if (newer) {
    throw new MigrationError(
      `The database is newer than this version of Coverdesk (it has ${newer}): start a newer version`,
    );
  }
}

async function findPending(client: pg.Client, codeMigrations: Migration[]): Promise<Migration[]> {
  await createMigrationsTable(client);
  await requireKnownSchema(
    client,
    codeMigrations.map(({ number }) => number),
  );
  const rows = await listAppliedMigrations.all(client);
  for (const applied of rows) {
    const migration = codeMigrations.find(({ number }) => number === applied.number);
    if (migration?.checksum !== applied.checksum) {
      throw new MigrationError(
        `The migration ${applied.name} differs from the one that ran on this database`,
      );
    }
  }
  return codeMigrations.filter(({ number }) => !rows.some((applied) => applied.number === number));
}

export async function createMigrationsTable(client: pg.ClientBase): Promise<void> {
  await client.query('SET client_min_messages = warning');
  await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
    number integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
}

/** @throws MigrationError; the signal's reason, before the migration or while it waits for a lock */
async function applyMigration(
  client: pg.Client,
  migration: Migration,
  { signal, log }: MigrationWait = {},
): Promise<void> {
  for (let tries = 0; ; tries++) {
    signal?.throwIfAborted();
    try {
      await client.query('BEGIN');
      await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
      await runMigration(client, migration);
      await client.query('COMMIT');
      return;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      if (!isLockTimeout(error)) throw error;
    }
    if (tries === 0) {
      const fields = { migration: migration.name };
      log?.warn(fields, 'waiting for another session that uses a table of the migration, such as a backup');
    }
    await delay(lockRetryMs);
  }
}

function isLockTimeout(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } };
  return error instanceof MigrationError && cause?.code === lockTimeoutCode;
}

/**
 * Runs a migration within the caller's transaction.
 * @throws MigrationError that names it
 */
export async function runMigration(client: pg.ClientBase, migration: Migration): Promise<void> {
  const { number, name, sql, checksum } = migration;
  try {
    await client.query(sql);
    await client.query('INSERT INTO schema_migrations (number, name, checksum) VALUES ($1, $2, $3)', [
      number,
      name,
      checksum,
    ]);
  } catch (error) {
    throw new MigrationError(`The migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}
