import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { registerSome } from '#features/devices/server/devices.service.ts';
import { type Migration, migrateDatabase, readMigrations } from '#server/db/migrations/migrate.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { createEmptyDatabase } from '#tests/support/database/database.ts';
import { importTicket, makeSerials } from '#tests/support/lookups/tickets.ts';
import { backupDatabase } from './backup-database.ts';
import { BackupError } from './backup-error.ts';
import { verifyBackup } from './read-backup.ts';
import { restoreDatabase } from './restore-database.ts';

const key = 'a key of the tests with 32 bytes or more';
let folder: string;
let api: TestApi;
let admin: TestUser;
let plain: string;
let sealed: string;
const empty: Awaited<ReturnType<typeof createEmptyDatabase>>[] = [];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-backup-'));
  api = await createTestApi();
  admin = await createUser(api, { superadmin: true });
  const { db, databaseUrl: url } = api.context;
  const user = await createUser(api);
  await createTicketWithRows(api, {
    companyCode: user.companyCode,
    createdBy: user.id,
    rows: [
      {
        serial: 'DONE1',
        state: 'done',
        activation: 'activated',
        end: '2027-01-31',
        title: 'tab\tand\nline \\ end',
      },
      { serial: 'FAILED1', state: 'failed', reason: 'Not found' },
      { serial: 'OPEN1' },
    ],
  });
  await registerSome(db);
  // More than one piece.
  await importTicket(db, makeSerials('LONG', 30_000));
  const file = { field: 'file', name: 'list.txt', content: 'socks5://name:password@203.0.113.7:1080\n' };
  const uploaded = await api.send('POST /api/proxies/upload', { token: admin.token, file });
  assert.equal(uploaded.statusCode, 201, uploaded.body);
  plain = join(folder, 'plain');
  sealed = join(folder, 'sealed');
  await backupDatabase({ url, file: plain });
  await backupDatabase({ url, file: sealed, key });
});
after(async () => {
  await api.close();
  for (const database of empty) await database.close();
  await rm(folder, { recursive: true });
});

async function makeEmpty() {
  const database = await createEmptyDatabase();
  empty.push(database);
  return database;
}

/** Returns the tables of a database: rows, bytes and a checksum of each. */
async function readTables(url: string) {
  const file = join(folder, 'compared');
  await backupDatabase({ url, file });
  return (await verifyBackup(file, undefined)).tables;
}

const refuses = (work: Promise<unknown>, message: RegExp) =>
  assert.rejects(work, (error: Error) => {
    assert.ok(error instanceof BackupError, error.stack);
    assert.match(error.message, message);
    return true;
  });

test('a restored database equals the one that was backed up, table by table, and goes on counting', async () => {
  const { url, pool } = await makeEmpty();
  const restored = await restoreDatabase({ url, file: sealed, key });
  assert.deepEqual(restored.migrated, []);
  const tables = await readTables(url);
  assert.deepEqual(tables, await readTables(api.context.databaseUrl));
  const filled = tables.filter(({ rows }) => rows > 0).map(({ name }) => name);
  for (const name of [
    'tickets',
    'serials',
    'devices',
    'proxies',
    'users',
    'audit_log',
    'lookup_jobs',
    'counters',
  ])
    assert.ok(filled.includes(name), `${name} has rows`);
  const { rows } = await pool.query(
    "INSERT INTO clients (company_name, company_code) VALUES ('New', 'NEW001') RETURNING id > (SELECT max(id) FROM clients) AS next",
  );
  assert.deepEqual(rows, [{ next: true }]);
  await assert.rejects(pool.query('DELETE FROM audit_log'), /the audit log cannot be changed/);
  await assert.rejects(pool.query("UPDATE users SET company_code = 'NOBODY'"), /violates foreign key/);
  assert.equal((await stat(sealed)).mode & 0o777, 0o600);
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.includes('partial')),
    [],
  );
});

test('with a key, a file that is not encrypted is refused', async () => {
  const { url } = await makeEmpty();
  await refuses(restoreDatabase({ url, file: plain, key }), /is not encrypted, but BACKUP_KEY is set/);
});

test('a backup is a gzipped tar that any tar lists', async () => {
  const names = execFileSync('tar', ['-tzf', plain], { encoding: 'utf8' }).trim().split('\n');
  assert.deepEqual([names[0], names.at(-1)], ['backup.json', 'manifest.json']);
  assert.ok(names.filter((name) => name.startsWith('tables/serials/')).length > 1);
});

test('a database with tickets, or with processes that run, is refused and stays as it is', async (t) => {
  const { databaseUrl: url } = api.context;
  const before = await readTables(url);
  await refuses(restoreDatabase({ url, file: plain }), /has tickets, devices or invoices/);
  assert.deepEqual(await readTables(url), before);

  const fresh = await makeEmpty();
  await migrateDatabase(fresh.url);
  const beat = () =>
    fresh.pool.query(
      `INSERT INTO processes (id, kind, host, pid, sources, fingerprints)
       VALUES (gen_random_uuid(), 'api', 'here', 7, '{}', '{}')`,
    );
  await beat();
  const beats = setInterval(() => void beat(), 100);
  t.after(() => clearInterval(beats));
  await refuses(restoreDatabase({ url: fresh.url, file: plain }), /in use by the api on here \(process 7\)/);
});

test('dead processes count as such when the clock of the database was set back since', async () => {
  const fresh = await makeEmpty();
  await migrateDatabase(fresh.url);
  await fresh.pool.query(
    `INSERT INTO processes (id, kind, host, pid, sources, fingerprints, last_seen)
     VALUES (gen_random_uuid(), 'api', 'here', 7, '{}', '{}', now() + interval '5 hours')`,
  );
  assert.ok((await restoreDatabase({ url: fresh.url, file: plain })).rows > 0);
});

test('a database whose tickets were deleted, but not its invoices, is refused', async () => {
  const { url, pool } = await makeEmpty();
  await migrateDatabase(url);
  await pool.query("INSERT INTO clients (company_name, company_code) VALUES ('First', 'FIRST01')");
  await pool.query(
    "INSERT INTO invoices (company_code, month, created_at) VALUES ('FIRST01', '2026-10-01', now())",
  );
  await refuses(restoreDatabase({ url, file: plain }), /has tickets, devices or invoices/);
});

test('a new product without tickets is replaced', async () => {
  const { url, pool } = await makeEmpty();
  await migrateDatabase(url);
  await pool.query("INSERT INTO clients (company_name, company_code) VALUES ('First', 'FIRST01')");
  await restoreDatabase({ url, file: plain });
  const { rows } = await pool.query("SELECT FROM clients WHERE company_code = 'FIRST01'");
  assert.equal(rows.length, 0);
});

test('a database of another program is refused', async () => {
  const { url, pool } = await makeEmpty();
  await pool.query('CREATE TABLE theirs (id integer)');
  await refuses(restoreDatabase({ url, file: plain }), /tables that are not of Coverdesk/);
  await refuses(backupDatabase({ url, file: join(folder, 'theirs') }), /no data of Coverdesk/);
});

test('a wrong or missing key, a changed, a cut and a foreign file are refused before anything is restored', async () => {
  const { url, pool } = await makeEmpty();
  const bytes = await readFile(sealed);
  const open = await readFile(plain);
  const flip = (original: Buffer, at: number) => {
    const changed = Buffer.from(original);
    changed[at] = (changed[at] ?? 0) ^ 1;
    return changed;
  };
  const restore = async (content: Buffer, password?: string) => {
    const file = join(folder, 'broken');
    await writeFile(file, content);
    await restoreDatabase({ url, file, key: password });
  };
  await refuses(restore(bytes, 'another key with at least 32 bytes in it'), /BACKUP_KEY is not the key/);
  await assert.rejects(
    restoreDatabase({ url, file: sealed }),
    /^Error: BACKUP_KEY takes the key of this backup, which is encrypted/,
  );
  await refuses(restore(flip(bytes, bytes.length >> 1), key), /was changed or is incomplete/);
  await refuses(
    restore(flip(bytes, 12), key),
    /BACKUP_KEY is not the key of this backup, or its beginning was changed/,
  );
  const chunk = 64 * 1024 + 16;
  await refuses(restore(bytes.subarray(0, 31 + 16 + chunk), key), /is incomplete/);
  await refuses(restore(bytes.subarray(0, bytes.length - 20), key), /is incomplete/);
  await refuses(restore(flip(open, open.length >> 1)), /no backup, damaged or incomplete/);
  await refuses(restore(open.subarray(0, open.length - 20)), /no backup, damaged or incomplete/);
  await refuses(restore(Buffer.from('a letter')), /no backup, damaged or incomplete/);
  await refuses(restoreDatabase({ url, file: join(folder, 'not-there') }), /cannot be read/);
  const { rows } = await pool.query("SELECT FROM pg_tables WHERE schemaname = 'public'");
  assert.equal(rows.length, 0);
});

test('a file that cannot be written or read is refused by its name', async (t) => {
  const { databaseUrl: url } = api.context;
  const occupied = join(folder, 'occupied');
  await mkdir(occupied);
  const below = join(plain, 'file');
  const nowhere = join(folder, 'no-folder', 'file');
  const socket = join(folder, 'socket');
  const server = createServer().listen(socket);
  t.after(() => server.close());
  await once(server, 'listening');
  for (const file of [occupied, below, nowhere, socket])
    await refuses(backupDatabase({ url, file }), new RegExp(`^${file} cannot be written: `));
  for (const file of [occupied, below, nowhere])
    await refuses(restoreDatabase({ url, file }), new RegExp(`^${file} cannot be read: `));
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.includes('partial')),
    [],
  );
});

test('a full disk ends a backup with a sentence', { skip: !existsSync('/dev/full') }, async () => {
  const file = join(folder, 'too-large');
  await symlink('/dev/full', `${file}.partial`);
  const { databaseUrl: url } = api.context;
  await refuses(
    backupDatabase({ url, file }),
    new RegExp(`^${file} cannot be written: ENOSPC: no space left`),
  );
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('too-large')),
    [],
  );
});

test('an older backup is migrated forward, a newer one refused, and a failing migration leaves the database empty', async () => {
  const known = await readMigrations();
  const more = (sql: string): Migration[] => [
    ...known,
    { number: 999, name: '999-next.sql', sql, checksum: 'next' },
  ];
  const target = await makeEmpty();
  await assert.rejects(
    restoreDatabase({ url: target.url, file: plain, migrations: more('SELECT nonsense') }),
    /999-next\.sql failed/,
  );
  const { rows } = await target.pool.query("SELECT FROM pg_tables WHERE schemaname = 'public'");
  assert.equal(rows.length, 0);
  const forward = more('ALTER TABLE tickets ADD COLUMN next integer NOT NULL DEFAULT 7');
  const restored = await restoreDatabase({ url: target.url, file: plain, migrations: forward });
  assert.deepEqual(restored.migrated, ['999-next.sql']);
  const newer = join(folder, 'newer');
  await backupDatabase({ url: target.url, file: newer });
  const other = await makeEmpty();
  await refuses(restoreDatabase({ url: other.url, file: newer }), /newer than this version .* 999-next\.sql/);
});

test('a backup during writes is of one moment', async () => {
  const { databaseUrl: url, db } = api.context;
  const id = await importTicket(db, makeSerials('BUSY', 2000));
  let writes = 0;
  let isOver = false;
  const writing = (async () => {
    while (!isOver) {
      await db.query(
        `WITH finished AS (
           UPDATE serials SET state = 'done' WHERE ticket_id = $1 AND position = $2 AND state = 'pending' RETURNING 1)
         UPDATE tickets SET done = done + (SELECT count(*) FROM finished) WHERE id = $1`,
        [id, ++writes],
      );
    }
  })();
  const file = join(folder, 'busy');
  while (writes < 20) await delay(5);
  await backupDatabase({ url, file });
  isOver = true;
  await writing;
  assert.ok(writes > 40, 'rows were written during the backup');
  const target = await makeEmpty();
  await restoreDatabase({ url: target.url, file });
  const { rows } = await target.pool.query(
    `SELECT t.done, (SELECT count(*)::integer FROM serials s WHERE s.ticket_id = t.id AND s.state = 'done') AS rows
     FROM tickets t WHERE id = $1`,
    [id],
  );
  assert.equal(rows[0].done, rows[0].rows);
  assert.ok(rows[0].done >= 19 && rows[0].done < writes);
});
