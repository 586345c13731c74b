import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { examine } from '#app/server/admin/doctor.ts';
import { requireReplica } from '#app/server/database.ts';
import { openDb } from '#server/db/connection/open-db.ts';
import { migrateDatabase } from '#server/db/migrations/migrate.ts';
import { parseConfig } from '#server/runtime/config.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { readContracts } from '#tests/support/api/contracts.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { createEmptyDatabase } from '#tests/support/database/database.ts';
import {
  noPrograms,
  type StreamingPair,
  startStreamingPair,
} from '#tests/support/database/streaming-replica.ts';
import { waitFor } from '#tests/support/wait.ts';

const lines: string[] = [];
let pair: StreamingPair | undefined;
let api: TestApi;
let admin: TestUser;
let number: string;

before(async () => {
  pair = await startStreamingPair();
  if (!pair) return;
  const { primary, replica } = pair;
  await migrateDatabase(primary.url);
  const db = openDb(primary.url, createLog('test', 'silent'));
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
  api = await createTestApi({ DATABASE_URL: primary.url, DATABASE_READ_URL: replica.url }, log, {
    url: primary.url,
    db,
    close: () => db.end(),
  });
  admin = await createUser(api, { superadmin: true });
  const user = await createUser(api);
  const { companyCode, id: createdBy } = user;
  ({ number } = await createTicketWithRows(api, { companyCode, createdBy, rows: [{ state: 'done' }] }));
  await createTicketWithRows(api, { companyCode, createdBy, rows: [{ state: 'done' }] });
});
after(async () => {
  if (!pair) return;
  await api.close();
  await pair.stop();
});

const get = (path: string) => api.send(`GET /api${path}`, { token: admin.token });
const router = () => api.context.readRouter;
const untilState = (state: string) =>
  waitFor(`the replica to be ${state}`, async () => router().replica?.status().state === state);

/** Runs a statement on the replica itself. */
async function onReplica(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

/** Returns the number of reads by server since the last call. */
let countedBefore = { primary: 0, replica: 0 };
function countReads() {
  const now = { ...router().counts };
  const { primary, replica } = countedBefore;
  countedBefore = now;
  return { primary: now.primary - primary, replica: now.replica - replica };
}

/** Reads a path until it is read on the replica, which a slow machine may keep behind for a while. */
async function untilOnReplica(path: string) {
  await waitFor(`${path} on the replica`, async () => {
    await untilState('used');
    countReads();
    const answer = await get(path);
    assert.equal(answer.statusCode, 200, `${path}: ${answer.body}`);
    const { primary, replica } = countReads();
    assert.equal(primary + replica, 1, path);
    return replica === 1;
  });
}

test('every call that only reads many rows, and every file, is read on the replica', async (t) => {
  if (!pair) return t.skip(noPrograms);
  await untilState('used');
  const paths: Record<string, string> = {
    listAudit: '/audit',
    compareTickets: `/tickets/compare?tickets=${number},${Number(number) + 1}`,
    listTicketChanges: `/tickets/changes?ticket_number=${Number(number) + 1}&with=${number}`,
    listResults: `/imei?ticket_number=${number}&counts=1`,
    search: '/search?q=acme',
    listDevices: '/devices?counts=1',
    readDeviceFigures: '/devices/figures?values=1',
    listViews: '/views',
    listStatements: '/statements?month=2026-11',
    listInvoices: '/invoices',
    listMonthEnd: '/invoices/month-end?month=2026-11',
  };
  const declared = (await readContracts()).filter(({ readOnly }) => readOnly).map(({ name }) => name);
  assert.deepEqual(Object.keys(paths).sort(), declared.sort());
  const files = [
    `/imei/download?ticket_number=${number}&format=json`,
    `/tickets/changes/download?ticket_number=${Number(number) + 1}&with=${number}`,
    '/devices/download?format=json',
    '/audit/download?format=json',
    '/statements/download?month=2026-11&format=json',
    '/invoices/download?format=excel',
  ];
  for (const path of [...Object.values(paths), ...files]) {
    await untilOnReplica(path);
  }
  assert.doesNotMatch(lines.join(''), /repeated on the primary/);
  const { replica } = (await get('/status')).json();
  assert.equal(replica.state, 'used');
  assert.match((await api.send('GET /metrics')).body, /^coverdesk_replica_up 1$/m);
});

test('a reader sees its own writes on the replica at once', async (t) => {
  if (!pair) return t.skip(noPrograms);
  await untilState('used');
  countReads();
  let answered = 0;
  for (let n = 0; n < 20 || answered < 5; n++) {
    const company_name = `Written Now ${n}`;
    const made = await api.send('POST /api/clients', { token: admin.token, body: { company_name } });
    assert.equal(made.statusCode, 201);
    const { clients } = (await get(`/search?q=${encodeURIComponent(company_name)}`)).json();
    assert.ok(clients.some((one: { company_name: string }) => one.company_name === company_name));
    answered += countReads().replica;
  }
});

test('while the replica stands still, a read takes at most 0.2 s longer, once, and sees all writes', async (t) => {
  if (!pair) return t.skip(noPrograms);
  await untilState('used');
  await onReplica(pair.replica.url, 'SELECT pg_wal_replay_pause()');
  countReads();
  for (const company_name of ['Behind One', 'Behind Two']) {
    await api.send('POST /api/clients', { token: admin.token, body: { company_name } });
    const { clients } = (await get(`/search?q=${encodeURIComponent(company_name)}`)).json();
    assert.equal(clients.length, 1, company_name);
  }
  assert.deepEqual(countReads(), { primary: 2, replica: 0 });
  assert.equal(router().replica?.status().state, 'behind');
  await onReplica(pair.replica.url, 'SELECT pg_wal_replay_resume()');
  await untilState('used');
  await untilOnReplica('/search?q=behind');
});

test('when the replica is killed, its reads are repeated on the primary, and the log says so once', async (t) => {
  if (!pair) return t.skip(noPrograms);
  await untilState('used');
  const { replica } = pair;
  lines.length = 0;
  const started = Promise.withResolvers<void>();
  // A server that a network has lost does not even refuse.
  const silent = router().run(async ({ url }) => {
    started.resolve();
    return url === replica.url ? new Promise<string>(() => undefined) : url;
  });
  await started.promise;
  const asked = router().run(async ({ db }) => (await db.query('SELECT pg_sleep(1)')).rowCount);
  await delay(300);
  await replica.kill();
  assert.equal(await asked, 1);
  assert.equal(await silent, pair.primary.url);
  for (let n = 0; n < 10; n++) assert.equal((await get('/search?q=acme')).statusCode, 200);
  assert.equal((await get(`/imei/download?ticket_number=${number}&format=json`)).statusCode, 200);
  await untilState('lost');
  assert.match((await api.send('GET /metrics')).body, /^coverdesk_replica_up 0$/m);
  await replica.start();
  await untilState('used');
  const said = (text: string) => lines.filter((line) => line.includes(text)).length;
  assert.deepEqual([said('lost: reads go to the primary'), said('the read replica is back')], [1, 1]);
});

test('a start refuses another cluster as the replica, and the doctor says what is wrong', async (t) => {
  if (!pair) return t.skip(noPrograms);
  const { primary, replica } = pair;
  const other = await createEmptyDatabase();
  const configOf = (url: string) =>
    parseConfig({ DATABASE_URL: primary.url, DATABASE_READ_URL: url, DATA_DIR: '/tmp' });
  const check = (url: string) => requireReplica(configOf(url), primary.url);
  await check(replica.url);
  // After a failover, both variables may name the same server.
  await check(primary.url);
  await check('postgres://postgres@127.0.0.1:1/postgres');
  const cluster =
    /^Error: DATABASE_READ_URL takes a streaming replica .* belongs to another PostgreSQL cluster$/;
  await assert.rejects(check(other.url), cluster);
  const database = replica.url.replace(/postgres$/, 'template1');
  await assert.rejects(check(database), /its database is template1, not postgres$/);
  const find = async (url: string) => {
    const findings = await examine(configOf(url), async () => primary.url);
    const found = findings.find(({ subject }) => subject === 'replica');
    return [found?.level, found?.text];
  };
  assert.equal((await find(replica.url))[0], 'ok');
  assert.deepEqual(await find(primary.url), ['warning', 'it is a primary itself, perhaps promoted']);
  assert.deepEqual(await find(other.url), ['error', 'it belongs to another PostgreSQL cluster']);
  await other.close();
});

test('a promoted replica gets no reads', async (t) => {
  if (!pair) return t.skip(noPrograms);
  await untilState('used');
  await pair.replica.promote();
  countReads();
  assert.equal((await get('/search?q=acme')).statusCode, 200);
  assert.deepEqual(countReads(), { primary: 1, replica: 0 });
  await untilState('lost');
});
