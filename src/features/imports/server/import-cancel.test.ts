import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { callerOf, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { holdLock, waitForWaiting } from '#tests/support/database/race.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { waitFor } from '#tests/support/wait.ts';

const many = 300_000;
const sheet = makeWorkbook(Array.from({ length: many }, (_, i) => `C${10_000_000 + i}`));

let api: TestApi;
let user: TestUser;
before(async () => {
  api = await createTestApi();
  user = await createUser(api);
  await api.app.listen({ port: 0, host: '127.0.0.1' });
});
after(() => api.close());

const count = async (sql: string) => (await api.context.db.query(sql)).rowCount;
const progress = async (key: string) =>
  (await api.send(`GET /api/data/upload/${key}`, { token: user.token })).json<{
    phase: string;
    rows: number;
  }>();
const noImportRuns = async () =>
  (await count(
    `SELECT FROM pg_stat_activity WHERE application_name = 'coverdesk import' AND datname = current_database()`,
  )) === 0;

const enter = (bytes: number) => api.app.uploadRoom.enter(api.context.db, callerOf(user), bytes);

/** Sends an upload over a real connection that the test can close. */
function send(key: string) {
  const boundary = 'cut-here';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="excel"; filename="sheet.xlsx"\r\n\r\n`;
  const upload = request({
    method: 'POST',
    host: '127.0.0.1',
    port: (api.app.server.address() as AddressInfo).port,
    path: '/api/data/upload',
    headers: {
      authorization: `Bearer ${user.token}`,
      'idempotency-key': key,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
  });
  upload.on('error', () => undefined);
  upload.write(head);
  return { upload, end: `\r\n--${boundary}--\r\n` };
}

async function assertNothingStays(key: string) {
  await waitFor('the import to be given up', noImportRuns);
  await waitFor('its file to be removed', async () => {
    const files = await readdir(join(api.context.config.DATA_DIR, 'uploads'));
    return files.length === 0;
  });
  await waitFor('its end to be told', async () => (await progress(key)).phase === 'failed');
  assert.equal(await count('SELECT FROM tickets'), 0);
  assert.equal(await count('SELECT FROM serials LIMIT 1'), 0);
  assert.equal(await count(`SELECT FROM counters WHERE name = 'ticket'`), 0);
  assert.equal(await count('SELECT FROM lookup_jobs LIMIT 1'), 0);
}

test('an import whose caller disconnects stores nothing, and the key may be used again', async () => {
  const { upload, end } = send('reading');
  upload.end(Buffer.concat([sheet, Buffer.from(end)]));
  await waitFor('the first rows', async () => (await progress('reading')).rows > 0);
  upload.destroy();
  await assertNothingStays('reading');

  const file = { field: 'excel', name: 'sheet.xlsx', content: makeWorkbook(['C10000000']) };
  const headers = { 'idempotency-key': 'reading' };
  const again = await api.send('POST /api/data/upload', { token: user.token, headers, file });
  assert.equal(again.statusCode, 201);
  assert.equal(again.json().ticket.ticket_number, '1');
  await api.context.db.query('TRUNCATE tickets, serials, counters, lookup_jobs, uploads CASCADE');
});

test('an upload that is interrupted within its file stores nothing', async () => {
  const { upload } = send('receiving');
  upload.write(sheet.subarray(0, 100_000));
  await waitFor('its file', async () => {
    const files = await readdir(join(api.context.config.DATA_DIR, 'uploads')).catch(() => []);
    return files.length === 1;
  });
  assert.deepEqual(await progress('receiving'), { phase: 'receiving', rows: 0 });
  upload.destroy();
  await assertNothingStays('receiving');
});

test('an upload whose connection closes before its form is read ends, and its room is free again', async () => {
  const { db, config } = api.context;
  const lock = 'SELECT FROM clients WHERE company_code = $1 FOR UPDATE';
  await holdLock(db, [lock, [user.companyCode]], async () => {
    const { upload, end } = send('early');
    upload.end(Buffer.concat([sheet.subarray(0, 1000), Buffer.from(end)]));
    await waitForWaiting(db, 1);
    upload.destroy();
    const countConnections = promisify(api.app.server.getConnections.bind(api.app.server));
    await waitFor('the connection to close', async () => (await countConnections()) === 0);
  });
  await assertNothingStays('early');
  // As much as one user may take.
  const largest = config.MAX_UPLOAD_MB * 1024 * 1024;
  for (const leave of [await enter(largest), await enter(largest)]) await leave();
});
