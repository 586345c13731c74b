import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to } from 'pg-copy-streams';
import { openClient } from '#server/db/connection/connection.ts';
import { listAppliedMigrations } from '#server/db/migrations/migrate.queries.ts';
import { askDatabase } from '#server/monitoring/health.queries.ts';
import { readFreeBytes } from '#server/runtime/free-space.ts';
import { productVersion } from '#server/runtime/version.ts';
import { encrypt } from './archive/encryption.ts';
import { tarEnd, toTarEntry } from './archive/tar.ts';
import { BackupError } from './backup-error.ts';
import { type Contents, contentsName, type Manifest, manifestName, namePiece } from './contents.ts';
import { verifyBackup } from './read-backup.ts';
import { hasTable, listSequences, listTables } from './tables.queries.ts';

export type BackupOptions = {
  url: string;
  /** The file to make. An existing one is replaced once the new one is complete and verified. */
  file: string;
  key?: string | undefined;
  /** Ends the backup when its disk has fewer free megabytes. */
  minFreeMb?: number | undefined;
  /** Ends the backup early. The file is not made then. */
  signal?: AbortSignal | undefined;
};

/** A finished backup: bytes of the file, and rows in it. */
export type BackupSummary = { size: number; tables: number; rows: number };

const megabyte = 1024 * 1024;
/** A database that sends nothing for this long counts as lost. */
const silenceMs = 120_000;
/** The free space is read again after this many bytes. */
const roomStep = 16 * megabyte;
/** Content of one file in the archive. */
const pieceBytes = megabyte;

/**
 * Backs up all tables of a database as of one moment, while others read and write: a tar archive of COPY data, compressed
 * by gzip. The finished file is read again and compared with its manifest.
 * @throws BackupError if the database has no schema of the product, or the file cannot be written
 */
export async function backupDatabase({
  url,
  file,
  key,
  minFreeMb = 0,
  signal,
}: BackupOptions): Promise<BackupSummary> {
  const partial = `${file}.partial`;
  const refuse = (error: Error) => {
    throw new BackupError(`${file} cannot be written: ${error.message}`);
  };
  const found = await stat(file).catch(() => undefined);
  if (found && !found.isFile()) refuse(new Error('it is a folder or a device'));
  const requireRoom = async () => {
    const free = await readFreeBytes(dirname(file)).catch(refuse);
    if (free < minFreeMb * megabyte)
      refuse(new Error(`fewer than ${minFreeMb} MB of its disk are free (MIN_FREE_MB)`));
  };
  const output = await open(partial, 'w', 0o600).catch(refuse);
  try {
    await write(url, (input) => writeTo(output, input, refuse, requireRoom), key, signal).finally(() =>
      output.close(),
    );
    const { tables } = await verifyBackup(partial, key, signal);
    const { size } = await stat(partial);
    await rename(partial, file).catch(refuse);
    await syncFolder(dirname(file));
    return { size, tables: tables.length, rows: tables.reduce((sum, { rows }) => sum + rows, 0) };
  } catch (error) {
    await rm(partial, { force: true });
    throw signal?.aborted ? signal.reason : error;
  }
}

/** Makes the name of a new file survive a power failure. Some network file systems cannot. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

/**
 * Writes a stream to an open file, until the disk has it. Errors of the file go through `refuse`.
 * @param requireRoom called again and again; throws when the disk becomes full
 */
async function writeTo(
  output: FileHandle,
  input: AsyncIterable<Buffer>,
  refuse: (error: Error) => never,
  requireRoom: () => Promise<void>,
): Promise<void> {
  let unexamined = roomStep;
  for await (const chunk of input) {
    unexamined += chunk.length;
    if (unexamined >= roomStep) {
      await requireRoom();
      unexamined = 0;
    }
    await output.writeFile(chunk).catch(refuse);
  }
  await output.sync().catch(refuse);
}

async function write(
  url: string,
  output: (input: AsyncIterable<Buffer>) => Promise<void>,
  key: string | undefined,
  signal?: AbortSignal,
): Promise<void> {
  const client = await openClient({ connectionString: url });
  const leave = () => client.end().catch(() => undefined);
  // The pipeline alone would wait for the present statement.
  signal?.addEventListener('abort', leave);
  try {
    const sealed = (input: AsyncIterable<Buffer>) => (key === undefined ? input : encrypt(input, key));
    await pipeline(untilSilent(client, readDatabase(client)), createGzip(), sealed, output, { signal });
  } finally {
    await leave();
  }
}

/** Passes chunks on. Ends the connection, and so fails, when one takes too long; a slow reader may take longer. */
async function* untilSilent(client: pg.Client, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  for (;;) {
    const silence = setTimeout(() => void client.end(), silenceMs);
    const { done, value } = await chunks.next().finally(() => clearTimeout(silence));
    if (done) return;
    yield value;
  }
}

/** Returns the bytes of the archive. */
async function* readDatabase(client: pg.Client): AsyncGenerator<Buffer> {
  // One snapshot for all tables, and forms of values that every server reads alike.
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await client.query(
    "SET LOCAL client_encoding = 'UTF8'; SET LOCAL datestyle = 'ISO'; SET LOCAL intervalstyle = 'postgres'; SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'",
  );
  const about = await describeContents(client);
  // No migration may drop a table that is still to be read.
  await client.query(`LOCK TABLE ${about.tables.map(({ name }) => name).join(', ')} IN ACCESS SHARE MODE`);
  const head = Buffer.from(JSON.stringify(about, null, 2));
  yield toTarEntry({ name: contentsName, content: head });
  const tables: Manifest['tables'] = [];
  for (const { name, columns } of about.tables) tables.push(yield* readTable(client, name, columns));
  const sums: Manifest = {
    contents_sha256: createHash('sha256').update(head).digest('hex'),
    tables,
    sequences: await listSequences.all(client),
  };
  yield toTarEntry({ name: manifestName, content: Buffer.from(JSON.stringify(sums, null, 2)) });
  yield tarEnd;
  await client.query('COMMIT');
}

async function describeContents(client: pg.Client): Promise<Contents> {
  if (!(await hasTable.one(client, { name: 'schema_migrations' })).exists)
    throw new BackupError('The database has no data of Coverdesk');
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  return {
    format: 1,
    product: 'coverdesk',
    version: productVersion,
    created_at: new Date().toISOString(),
    database: rows[0]?.server_version ?? '',
    migrations: await listAppliedMigrations.all(client),
    tables: await listTables.all(client),
  };
}

/** Yields the pieces of a table. @returns their total rows, bytes and checksum */
async function* readTable(
  client: pg.Client,
  name: string,
  columns: string[],
): AsyncGenerator<Buffer, Manifest['tables'][number]> {
  const copy = client.query(to(`COPY ${name} (${columns.join(', ')}) TO STDOUT`));
  const hash = createHash('sha256');
  let bytes = 0;
  let pieces = 0;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  const makePiece = () => {
    const content = Buffer.concat(waiting);
    hash.update(content);
    bytes += content.length;
    pieces += 1;
    waiting = [];
    waitingBytes = 0;
    return toTarEntry({ name: namePiece(name, pieces), content });
  };
  for await (const chunk of copy as AsyncIterable<Buffer>) {
    waiting.push(chunk);
    waitingBytes += chunk.length;
    if (waitingBytes >= pieceBytes) yield makePiece();
  }
  if (waitingBytes > 0) yield makePiece();
  // The stream ends before the number of its rows is known; the next answer comes after it.
  await askDatabase.run(client);
  return { name, rows: copy.rowCount, bytes, sha256: hash.digest('hex') };
}
