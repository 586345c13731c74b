import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { inTransaction } from '#server/db/db.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { holdLock } from '#tests/support/database/race.ts';
import { waitFor } from '#tests/support/wait.ts';

let api: TestApi;
before(async () => {
  api = await createTestApi();
  await api.app.listen({ port: 0, host: '127.0.0.1' });
});
after(() => api.close());

const download = (query: string, { token }: TestUser) =>
  api.send(`GET /api/imei/download?${query}`, { token });

async function createLargeTicket(count: number): Promise<TestUser> {
  const owner = await createUser(api);
  const made = await createTicketWithRows(api, {
    companyCode: owner.companyCode,
    createdBy: owner.id,
    rows: [{}],
  });
  const { db } = api.context;
  await db.query(
    `INSERT INTO serials (ticket_id, position, sheet_row, serial, state, type)
     SELECT $1, n, n, (350000000000000 + n)::text, 'done', 'iPhone 15' FROM generate_series(2, $2::integer) n`,
    [made.id, count],
  );
  await db.query('UPDATE tickets SET total = $2, done = $2 - 1 WHERE id = $1', [made.id, count]);
  return owner;
}

async function waitForNoExport() {
  const { db } = api.context;
  const running = `SELECT FROM pg_stat_activity
    WHERE application_name = 'coverdesk export' AND datname = current_database()`;
  while ((await db.query(running)).rowCount) await delay(10);
}

test('a large file arrives completely in many chunks', async () => {
  const count = 20_000;
  const owner = await createLargeTicket(count);
  const answer = await download('format=json', owner);
  // The thread hands over 64 KB at once, and runs at most 1 MB ahead.
  assert.ok(answer.rawPayload.length > 5 * 1024 * 1024, String(answer.rawPayload.length));
  const rows = answer.json<{ position: number }[]>();
  assert.equal(rows.length, count);
  assert.ok(rows.every((found, index) => found.position === index + 1));
  const backwards = await download('format=json&order=desc', owner);
  assert.deepEqual(backwards.json(), rows.reverse());
  await waitForNoExport();
});

test('a caller who disconnects leaves no thread and no connection behind', async () => {
  const many = 120_000;
  const owner = await createLargeTicket(many);
  const { port } = api.app.server.address() as AddressInfo;
  for (const format of ['excel', 'json']) {
    // More than there are slots, so that waiting ones disconnect as well.
    const requests = Array.from({ length: 6 }, () =>
      get({
        host: '127.0.0.1',
        port,
        path: `/api/imei/download?format=${format}`,
        headers: { authorization: `Bearer ${owner.token}` },
        agent: false,
      }),
    );
    for (const request of requests) request.on('error', () => null);
    await Promise.race(requests.map(firstBytes));
    for (const request of requests) request.destroy();
    await waitForNoExport();
  }
  // The JSON file is larger than all buffers between thread and client.
  const { rows } = await api.context.db.query(
    `SELECT (after->>'rows')::integer AS rows, after->'complete' AS complete FROM audit_log
     WHERE action = 'results.export' AND actor_id = $1 AND after->>'format' = 'json'`,
    [owner.id],
  );
  assert.ok(rows.length > 0);
  for (const entry of rows) assert.ok(!entry.complete && entry.rows < many, JSON.stringify(entry));
  assert.equal((await download('format=json', owner)).statusCode, 200);
});

test('a slow download keeps no transaction open, and fails when the results are deleted', async (context) => {
  const owner = await createLargeTicket(120_000);
  const request = beginDownload(owner, '');
  context.after(() => request.destroy());
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  await once(answer, 'readable');
  const { db } = api.context;
  const state = await waitFor('the thread to wait for its reader', async () => {
    const { rows } = await db.query<{ state: string }>(
      `SELECT state FROM pg_stat_activity WHERE application_name = 'coverdesk export'
         AND datname = current_database() AND state LIKE 'idle%' AND state_change < now() - interval '1 second'`,
    );
    return rows[0]?.state;
  });
  assert.equal(state, 'idle');
  await db.query('UPDATE tickets SET coverage_deleted = true WHERE created_by = $1', [owner.id]);
  await assert.rejects(buffer(answer), { code: 'ECONNRESET' });
  await waitForNoExport();
});

test('a download that is cancelled while its statement runs is recorded once', async () => {
  const owner = await createLargeTicket(10);
  const { db } = api.context;
  await inTransaction(db, async (other) => {
    await other.query('LOCK TABLE serials IN ACCESS EXCLUSIVE MODE');
    const request = beginDownload(owner);
    request.on('error', () => null);
    await waitFor('the statement', async () => (await countWaiting()) === 1, 20_000);
    request.destroy();
    await waitFor('the record', async () => (await countRecords(owner)) > 0);
  });
  await waitForNoExport();
  assert.equal(await countRecords(owner), 1);
});

test('a download whose rows arrive while its end is recorded is recorded once', async () => {
  const owner = await createLargeTicket(10);
  const { db } = api.context;
  await holdLock(db, ['LOCK TABLE serials IN ACCESS EXCLUSIVE MODE', []], async (letRowsGo) => {
    const request = beginDownload(owner);
    request.on('error', () => null);
    await waitFor('the statement', async () => (await countWaiting()) === 1, 20_000);
    await holdLock(db, ['LOCK TABLE audit_log IN SHARE MODE', []], async (letRecordsGo) => {
      request.destroy();
      await waitFor('the record', async () => (await countWaiting()) === 2, 20_000);
      await letRowsGo();
      // A second record would wait beside the first one by now.
      await delay(500);
      await letRecordsGo();
    });
  });
  await waitForNoExport();
  assert.equal(await countRecords(owner), 1);
});

/** Begins a download that the test may cancel. */
function beginDownload({ token }: TestUser, query = '&order=desc') {
  const { port } = api.app.server.address() as AddressInfo;
  return get({
    host: '127.0.0.1',
    port,
    path: `/api/imei/download?format=json${query}`,
    headers: { authorization: `Bearer ${token}` },
    agent: false,
  });
}

/** Counts the connections of exports that wait for a lock. */
async function countWaiting(): Promise<number | null> {
  const { rowCount } = await api.context.db.query(
    `SELECT FROM pg_stat_activity WHERE application_name = 'coverdesk export'
       AND datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rowCount;
}

async function countRecords({ id }: TestUser): Promise<number> {
  const { rows } = await api.context.db.query<{ count: number }>(
    `SELECT count(*) FROM audit_log WHERE action = 'results.export' AND actor_id = $1`,
    [id],
  );
  return Number(rows[0]?.count);
}

async function firstBytes(request: ClientRequest): Promise<void> {
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  assert.equal(answer.statusCode, 200);
  await once(answer, 'readable');
}
