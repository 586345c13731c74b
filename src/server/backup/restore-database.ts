import { finished } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { type CopyStreamQuery, from } from 'pg-copy-streams';
import { openClient } from '#server/db/connection/connection.ts';
import {
  createMigrationsTable,
  lockMigrations,
  type Migration,
  readMigrations,
  runMigration,
} from '#server/db/migrations/migrate.ts';
import { leaseMs } from '#server/processes/processes.queries.ts';
import { BackupError } from './backup-error.ts';
import type { Contents, Manifest } from './contents.ts';
import { readBackup, verifyBackup } from './read-backup.ts';
import {
  findRunning,
  hasTable,
  hasWork,
  listForeignKeys,
  listObjects,
  listTables,
  listTriggers,
  writeSequence,
} from './tables.queries.ts';

export type RestoreOptions = {
  url: string;
  file: string;
  key?: string | undefined;
  /** Ends the restore early, which leaves the database as it was. */
  signal?: AbortSignal | undefined;
  /** This code's migrations; those of the folder by default. */
  migrations?: Migration[];
};

/** A finished restore. `migrated` names the migrations that brought it forward to this version. */
export type Restored = {
  version: string;
  createdAt: string;
  tables: number;
  rows: number;
  migrated: string[];
};

const connectMs = 10_000;
const lookMs = 500;

/**
 * Restores a backup into an empty database, in one transaction, and migrates it to this version. It replaces the objects
 * of a new product, such as its first superadmin.
 * @throws BackupError if the file is damaged, comes from a newer version, or the database has tickets or is in use
 */
export async function restoreDatabase(options: RestoreOptions): Promise<Restored> {
  const { url, file, key, signal } = options;
  const known = options.migrations ?? (await readMigrations());
  const { contents, tables } = await verifyBackup(file, key, signal);
  const { own, later } = divideMigrations(contents, known);
  const client = await openClient({ connectionString: url, connectionTimeoutMillis: connectMs });
  try {
    await lockMigrations(client);
    await requireUnused(client);
    await client.query('BEGIN');
    await clear(client);
    await createMigrationsTable(client);
    for (const migration of own) await runMigration(client, migration);
    await load(client, options);
    for (const migration of later) {
      await client.query('SET CONSTRAINTS ALL IMMEDIATE');
      await runMigration(client, migration);
    }
    signal?.throwIfAborted();
    await client.query('COMMIT');
    await client.query('ANALYZE');
  } finally {
    // Without a COMMIT this leaves the database as it was.
    await client.end().catch(() => undefined);
  }
  return {
    version: contents.version,
    createdAt: contents.created_at,
    tables: tables.length,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    migrated: later.map(({ name }) => name),
  };
}

/** Returns the migrations that the backup has, and those that bring it forward. */
function divideMigrations({ migrations, version }: Contents, known: Migration[]) {
  const ran = new Map(migrations.map((migration) => [migration.number, migration]));
  const newer = migrations.filter(({ number }) => !known.some((one) => one.number === number)).at(-1);
  if (newer) {
    throw new BackupError(
      `The backup is newer than this version of Coverdesk (it has ${newer.name}, made by ${version}): restore it by a newer version`,
    );
  }
  const own = known.filter(({ number }) => ran.has(number));
  const changed = own.find(({ number, checksum }) => ran.get(number)?.checksum !== checksum);
  if (changed) throw new BackupError(`The migration ${changed.name} differs from the one of the backup`);
  return { own, later: known.filter(({ number }) => !ran.has(number)) };
}

/** @throws BackupError if the database has tickets, devices or invoices, tables of something else, or processes that still run */
async function requireUnused(client: pg.Client): Promise<void> {
  if (await hasWork(client)) {
    throw new BackupError(
      'The database has tickets, devices or invoices: a backup is restored into an empty database only',
    );
  }
  if (!(await hasTable(client, 'schema_migrations')) && (await listTables(client)).length > 0) {
    throw new BackupError('The database has tables that are not of Coverdesk: choose an empty database');
  }
  if (await hasTable(client, 'processes')) await untilStopped(client);
}

/** Waits until killed processes count as dead. One that still sends heartbeats refuses the restore. */
async function untilStopped(client: pg.Client): Promise<void> {
  const first = await findRunning(client, leaseMs);
  for (let running = first; first && running; running = await findRunning(client, leaseMs)) {
    if (running.last_seen > first.last_seen) {
      throw new BackupError(
        `The database is in use by the ${running.kind} on ${running.host} (process ${running.pid}): stop Coverdesk before the restore`,
      );
    }
    await delay(lookMs);
  }
}

/** Drops the objects that a new product has made in the database. */
async function clear(client: pg.Client): Promise<void> {
  await client.query('SET client_min_messages = warning');
  await client.query('DROP SCHEMA IF EXISTS pgboss CASCADE');
  if (!(await hasTable(client, 'schema_migrations'))) return;
  for (const { kind, name } of await listObjects(client))
    await client.query(`DROP ${kind} IF EXISTS ${name} CASCADE`);
}

/**
 * Fills the tables. Foreign keys are added at the end, which checks them once. Triggers do not run, because their
 * effects are in the backup already.
 */
async function load(client: pg.Client, { file, key, signal }: RestoreOptions): Promise<void> {
  const [foreignKeys, triggers] = [await listForeignKeys(client), await listTriggers(client)];
  for (const { table, name } of foreignKeys)
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const { table, name } of triggers) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER ${name}`);
  const loader = new Loader(client);
  await readBackup(file, key, loader, signal);
  for (const { table, name } of triggers) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER ${name}`);
  for (const { table, name, definition } of foreignKeys)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
}

/** Copies a backup's tables into the database. */
class Loader {
  readonly #client: pg.Client;
  readonly #columns = new Map<string, string[]>();
  readonly #rows = new Map<string, number>();
  #copy: { table: string; stream: CopyStreamQuery; failed: Promise<never> } | undefined;

  constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Empties the tables, some of which migrations have filled. */
  async begin({ tables }: Contents): Promise<void> {
    const existing = new Set((await listTables(this.#client)).map(({ name }) => name));
    for (const { name, columns } of tables) {
      if (!existing.has(name))
        throw new BackupError(`The backup has the table ${name}, which no migration makes`);
      this.#columns.set(name, columns);
    }
    await this.#client.query(`TRUNCATE ${[...existing].join(', ')}`);
  }

  async add(table: string, content: Buffer): Promise<void> {
    if (this.#copy?.table !== table) {
      await this.#endTable();
      const columns = this.#columns.get(table) ?? [];
      const stream = this.#client.query(from(`COPY ${table} (${columns.join(', ')}) FROM STDIN`));
      this.#copy = { table, stream, failed: failureOf(stream) };
    }
    const { stream, failed } = this.#copy;
    const written = new Promise<void>((resolve, reject) => {
      stream.write(content, (error) => (error ? reject(error) : resolve()));
    });
    await Promise.race([written, failed]);
  }

  /** @throws BackupError if the database has other numbers of rows than the manifest */
  async end({ tables, sequences }: Manifest): Promise<void> {
    await this.#endTable();
    const differing = tables.find(({ name, rows }) => (this.#rows.get(name) ?? 0) !== rows);
    if (differing)
      throw new BackupError(
        `The database took another number of rows of ${differing.name} than the backup has`,
      );
    for (const sequence of sequences) await writeSequence(this.#client, sequence);
  }

  async #endTable(): Promise<void> {
    if (!this.#copy) return;
    const { table, stream, failed } = this.#copy;
    this.#copy = undefined;
    stream.end();
    await Promise.race([finished(stream), failed]);
    this.#rows.set(table, stream.rowCount);
  }
}

/** Rejects when the database refuses the rows of a COPY or is lost. */
function failureOf(stream: CopyStreamQuery): Promise<never> {
  const failed = new Promise<never>((_, reject) => {
    stream.once('error', reject);
  });
  failed.catch(() => undefined);
  return failed;
}
