import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createGunzip, gzipSync } from 'node:zlib';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '#tests/support/database/database.ts';
import { readTar, type TarEntry, tarEnd, toTarEntry } from './archive/tar.ts';
import { backupDatabase } from './backup-database.ts';
import { BackupError } from './backup-error.ts';
import { type Contents, contentsName, type Manifest, manifestName, namePiece } from './contents.ts';
import { restoreDatabase } from './restore-database.ts';

let folder: string;
let file: string;
let source: TestDatabase;
let target: Omit<TestDatabase, 'db'>;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-crafted-'));
  file = join(folder, 'backup');
  source = await createTestDatabase();
  target = await createEmptyDatabase();
  await backupDatabase({ url: source.url, file });
});
after(async () => {
  await source.close();
  await target.close();
  await rm(folder, { recursive: true });
});

type Parts = { contents: Contents; manifest: Manifest; pieces: Map<string, string> };

/** Writes the backup anew, changed by `change` and with the checksums of its changed contents. */
async function craft(change: (parts: Parts) => void): Promise<string> {
  const entries: TarEntry[] = [];
  for await (const entry of readTar(createReadStream(file).pipe(createGunzip()))) entries.push(entry);
  const textOf = (name: string) => String(entries.find((entry) => entry.name === name)?.content);
  const parts: Parts = {
    contents: JSON.parse(textOf(contentsName)),
    manifest: JSON.parse(textOf(manifestName)),
    pieces: new Map(
      entries.filter(({ name }) => name.startsWith('tables/')).map((one) => [one.name, String(one.content)]),
    ),
  };
  change(parts);
  const contents = Buffer.from(JSON.stringify(parts.contents));
  parts.manifest.contents_sha256 = sha256(contents);
  parts.manifest.tables = parts.contents.tables.map(({ name }) => {
    const content = parts.pieces.get(namePiece(name, 1)) ?? '';
    return {
      name,
      rows: content.split('\n').length - 1,
      bytes: Buffer.byteLength(content),
      sha256: sha256(content),
    };
  });
  const archive = [
    toTarEntry({ name: contentsName, content: contents }),
    ...[...parts.pieces].map(([name, content]) => toTarEntry({ name, content: Buffer.from(content) })),
    toTarEntry({ name: manifestName, content: Buffer.from(JSON.stringify(parts.manifest)) }),
    tarEnd,
  ];
  const crafted = join(folder, 'crafted');
  await writeFile(crafted, gzipSync(Buffer.concat(archive)));
  return crafted;
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Restores a changed backup, which has to be refused and to leave the database empty. */
async function refuses(change: (parts: Parts) => void, message: RegExp) {
  const crafted = await craft(change);
  await assert.rejects(restoreDatabase({ url: target.url, file: crafted }), (error: Error) => {
    assert.ok(error instanceof BackupError, error.stack);
    assert.match(error.message, message);
    return true;
  });
  const { rows } = await target.pool.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
  assert.deepEqual(rows, []);
}

function tableOf({ contents }: Parts, name: string) {
  const table = contents.tables.find((one) => one.name === name);
  assert.ok(table);
  return table;
}

test('SQL in the name of a column does not run', async () => {
  const sql = 'id) FROM STDIN; CREATE TABLE pwned (id integer); COPY counters (name';
  await refuses((parts) => {
    tableOf(parts, 'counters').columns = [sql];
    parts.pieces.set(namePiece('counters', 1), '1\n');
  }, /other tables or columns .* counters/);
});

test('tables and columns are those that the migrations make', async () => {
  const differs = /other tables or columns than its migrations make: clients$/;
  await refuses((parts) => tableOf(parts, 'clients').columns.pop(), differs);
  await refuses((parts) => tableOf(parts, 'clients').columns.push('more'), differs);
  await refuses((parts) => tableOf(parts, 'clients').columns.splice(0, 1, 'company_name'), differs);
  await refuses((parts) => {
    parts.contents.tables = parts.contents.tables.filter(({ name }) => name !== 'clients');
    parts.pieces.delete(namePiece('clients', 1));
  }, differs);
  await refuses(
    (parts) => void parts.contents.tables.push({ name: 'pg_catalog.pg_proc', columns: ['proname'] }),
    /than its migrations make: pg_catalog\.pg_proc$/,
  );
  await refuses(
    (parts) => void parts.contents.tables.push(structuredClone(tableOf(parts, 'clients'))),
    differs,
  );
});

test('sequences are those that the migrations make', async () => {
  await refuses(
    ({ manifest }) => void manifest.sequences.push({ name: 'pg_catalog.other', value: 1, called: true }),
    /sequence pg_catalog\.other, which no migration makes/,
  );
});

test('a backup whose columns have another order is restored', async () => {
  const crafted = await craft((parts) => {
    tableOf(parts, 'counters').columns.reverse();
    const piece = namePiece('counters', 1);
    const turned = (parts.pieces.get(piece) ?? '').replace(/^(.*)$/gm, (line) =>
      line.split('\t').reverse().join('\t'),
    );
    parts.pieces.set(piece, turned);
  });
  await restoreDatabase({ url: target.url, file: crafted });
});
