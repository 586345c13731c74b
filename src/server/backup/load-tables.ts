import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { type CopyStreamQuery, from } from 'pg-copy-streams';
import { BackupError } from './backup-error.ts';
import type { Contents, Manifest } from './contents.ts';
import { readBackup } from './read-backup.ts';
import { listForeignKeys, listSequences, listTables, listTriggers, writeSequence } from './tables.queries.ts';

/**
 * Fills the tables of a migrated database from a backup. Foreign keys are added at the end, which checks them once. Triggers
 * do not run, because their effects are in the backup already.
 * @throws BackupError if the backup has other tables, columns or sequences than the database
 */
export async function loadTables(
  client: pg.Client,
  file: string,
  key: string | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const [foreignKeys, triggers] = [await listForeignKeys.all(client), await listTriggers.all(client)];
  for (const { table, name } of foreignKeys)
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const { table, name } of triggers) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER ${name}`);
  await readBackup(file, key, new Loader(client), signal);
  for (const { table, name } of triggers) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER ${name}`);
  for (const { table, name, definition } of foreignKeys)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
}

type Table = { name: string; columns: string[] };

/** Copies a backup's tables into the database. All names in its SQL come from the catalogue, none from the file. */
class Loader {
  readonly #client: pg.Client;
  #tables = new Map<string, Table>();
  readonly #rows = new Map<string, number>();
  #copy: { table: string; stream: CopyStreamQuery; failed: Promise<never> } | undefined;

  constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Empties the tables, some of which migrations have filled. */
  async begin({ tables }: Contents): Promise<void> {
    const existing = await listTables.all(this.#client);
    this.#tables = matchTables(tables, existing);
    await this.#client.query(`TRUNCATE ${existing.map(({ name }) => name).join(', ')}`);
  }

  async add(table: string, content: Buffer): Promise<void> {
    if (this.#copy?.table !== table) {
      await this.#endTable();
      const target = this.#tables.get(table);
      if (!target) throw new BackupError(`The backup has rows of ${table}, which is none of its tables`);
      const stream = this.#client.query(
        from(`COPY ${target.name} (${target.columns.join(', ')}) FROM STDIN`),
      );
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
    const existing = new Set((await listSequences.all(this.#client)).map(({ name }) => name));
    for (const sequence of sequences) {
      if (!existing.has(sequence.name))
        throw new BackupError(`The backup has the sequence ${sequence.name}, which no migration makes`);
      await writeSequence.run(this.#client, sequence);
    }
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

/**
 * Returns the catalogue's tables by name, with their columns in the order of the backup.
 * @throws BackupError if tables or columns differ
 */
function matchTables(tables: Table[], existing: Table[]): Map<string, Table> {
  const matched = new Map<string, Table>();
  for (const { name, columns } of existing) {
    const [stated, ...more] = tables.filter((table) => table.name === name);
    const ordered = (stated?.columns ?? []).flatMap((column) =>
      columns.filter((existingColumn) => existingColumn === column),
    );
    const counts = new Set([stated?.columns.length, columns.length, ordered.length, new Set(ordered).size]);
    if (counts.size === 1 && more.length === 0) matched.set(name, { name, columns: ordered });
  }
  const differing = [...tables, ...existing].find(({ name }) => !matched.has(name));
  if (differing) {
    throw new BackupError(
      `The backup has other tables or columns than its migrations make: ${differing.name}`,
    );
  }
  return matched;
}

/** Rejects when the database refuses the rows of a COPY or is lost. */
function failureOf(stream: CopyStreamQuery): Promise<never> {
  const failed = new Promise<never>((_, reject) => {
    stream.once('error', reject);
  });
  failed.catch(() => undefined);
  return failed;
}
