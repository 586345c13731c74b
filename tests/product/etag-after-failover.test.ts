// ETags remain correct when the database returns to an earlier state: a failover to a lagging replica, a restored backup.
import assert from 'node:assert/strict';
import { execFile as execute } from 'node:child_process';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { promisify } from 'node:util';
import { openDb } from '#server/db/connection/open-db.ts';
import type { Db } from '#server/db/db.ts';
import { migrateDatabase, readMigrations } from '#server/db/migrations/migrate.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/postgres/launcher.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { forgetfulSettings } from '#tests/support/database/test-server.ts';
import { waitFor } from '#tests/support/wait.ts';

const execFile = promisify(execute);
const log = createLog('test', 'silent');
const tables = ['clients', 'users', 'tickets', 'serials'];

let scratch: string;
let server: EmbeddedPostgres;
let db: Db;
let api: TestApi;
let user: TestUser;
let ticket: { id: number; number: string };

/** The data folder of the database server of these tests, and copies of it. */
const folder = (copy = 'data') => join(scratch, copy);

async function start(): Promise<void> {
  // A folder contains its port, so that the address is the same for every copy.
  server = await startEmbeddedPostgres({ dataDir: folder(), log, settings: forgetfulSettings });
}

async function putAside(copy: string): Promise<void> {
  await server.stop();
  // Keeps the owner, because as root PostgreSQL runs as another account.
  await execFile('cp', ['-a', folder(), folder(copy)]);
  await start();
}

/** Replaces the database by a copy while the API is running. */
async function goBackTo(copy: string): Promise<void> {
  await server.stop();
  await rm(folder(), { recursive: true });
  await rename(folder(copy), folder());
  await start();
  await waitFor('connections to the other database', () => db.query('SELECT 1').then(Boolean, () => false));
}

/** Lists the columns of a table that are not computed from others. */
async function listStoredColumns(table: string): Promise<string> {
  const { rows } = await db.query<{ columns: string }>(
    `SELECT string_agg(quote_ident(attname), ', ') AS columns FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [table],
  );
  return rows[0]?.columns ?? '';
}

before(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'coverdesk-failover-'));
  await start();
  await migrateDatabase(server.url, await readMigrations());
  await putAside('empty');
  db = openDb(server.url, log);
  api = await createTestApi({}, log, { url: server.url, db, close: () => db.end() });
  user = await createUser(api, { superadmin: true });
});
beforeEach(async () => {
  const rows = [{}, {}, {}];
  ticket = await createTicketWithRows(api, { ...user, createdBy: user.id, status: 'Processing', rows });
});
after(async () => {
  await api.close();
  await server.stop();
  await rm(scratch, { recursive: true });
});

const calls = () => [
  `/tickets/progress?ticket_number=${ticket.number}`,
  '/tickets/progress',
  '/tickets/all-progress',
  '/tickets/activity?since=2026-01-01T00:00:00.000Z',
  `/imei?ticket_number=${ticket.number}`,
  '/tickets',
];
const poll = (path: string, tag?: string, { token } = user) =>
  api.send(`GET /api${path}`, {
    token,
    ...(tag !== undefined && { headers: { 'if-none-match': tag } }),
  });
const readTags = () =>
  Promise.all(calls().map(async (path) => [path, String((await poll(path)).headers.etag)] as const));
const finish = (column: 'done' | 'failed', positions: number[]) =>
  db.query(
    `WITH finished AS (UPDATE serials SET state = $2::serial_state WHERE ticket_id = $1 AND position = ANY($3))
     UPDATE tickets SET ${column} = ${column} + cardinality($3) WHERE id = $1`,
    [ticket.id, column, positions],
  );

test('no 304 is sent after a failover to an earlier state with the same transaction numbers', async () => {
  const other = await createUser(api);
  const { companyCode, id: createdBy } = other;
  const ended = await createTicketWithRows(api, { companyCode, createdBy, status: 'Completed', rows: [{}] });
  await db.query("UPDATE tickets SET imported_at = '2026-01-01' WHERE id = $1", [ended.id]);
  const grant = (discount: number) =>
    db.query('UPDATE tickets SET discount = $2 WHERE id = $1', [ended.id, discount]);
  await putAside('replica');
  await finish('done', [1]);
  await grant(10);
  const tags = await readTags();
  const [activity = assert.fail()] = calls().filter((path) => path.startsWith('/tickets/activity'));
  const tagOfOther = String((await poll(activity, undefined, other)).headers.etag);
  assert.equal((await poll(activity, tagOfOther, other)).statusCode, 304);
  await goBackTo('replica');
  await finish('failed', [2, 3]);
  await grant(20);
  for (const [path, tag] of tags) {
    const answer = await poll(path, tag);
    assert.equal(answer.statusCode, 200, path);
  }
  assert.equal((await poll(activity, tagOfOther, other)).statusCode, 200, 'only an ended ticket has changed');
});

test('after a restore into a new cluster an unchanged poll of tickets or rows is a 304, and a changed one is not', async () => {
  await finish('done', [1]);
  // Transaction numbers grow with the age of a cluster.
  for (let n = 0; n < 50; n++) await db.query('SELECT pg_current_xact_id()');
  const tags = await readTags();
  const dumped = await Promise.all(
    tables.map(async (name) => (await db.query(`SELECT json_agg(t) AS rows FROM ${name} t`)).rows[0].rows),
  );
  await goBackTo('empty');
  for (const [i, name] of tables.entries()) {
    const columns = await listStoredColumns(name);
    await db.query(
      `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE
       SELECT ${columns} FROM json_populate_recordset(NULL::${name}, $1)`,
      [JSON.stringify(dumped[i])],
    );
  }
  for (const [path, tag] of tags) {
    // Revisions are of one start of the database server.
    const status = path.startsWith('/tickets/activity') ? 200 : 304;
    assert.equal((await poll(path, tag)).statusCode, status, path);
  }
  await finish('failed', [2, 3]);
  for (const [path, tag] of tags) assert.equal((await poll(path, tag)).statusCode, 200, path);
});
