import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { waitFor } from '#tests/support/wait.ts';

const megabyte = 1024 * 1024;
const file = { field: 'excel', name: 'sheet.xlsx', content: makeWorkbook(['356938030010004']) };

let api: TestApi;
before(async () => {
  api = await createTestApi({ MAX_UPLOAD_MB: '1' });
  await api.app.listen({ port: 0, host: '127.0.0.1' });
});
after(() => api.close());

const folder = () => join(api.context.config.DATA_DIR, 'uploads');
const uploads = () => readdir(folder()).catch(() => []);
const send = ({ token }: TestUser) => api.send('POST /api/data/upload', { token, file });

const boundary = 'held';
const head = `--${boundary}\r\ncontent-disposition: form-data; name="excel"; filename="a.xlsx"\r\n\r\nnothing`;

/** Begins an upload over a real connection. The test ends it. */
function begin({ token }: TestUser, size: number | undefined): ClientRequest {
  const upload = request({
    method: 'POST',
    host: '127.0.0.1',
    port: (api.app.server.address() as AddressInfo).port,
    path: '/api/data/upload',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...(size !== undefined && { 'content-length': size }),
    },
  });
  upload.on('error', () => undefined);
  upload.write(head);
  return upload;
}

async function answerOf(upload: ClientRequest) {
  const [response] = (await once(upload, 'response')) as [IncomingMessage];
  return { status: response.statusCode, ...((await json(response)) as { code: string; message: string }) };
}

test('uploads of one user and of all users keep within their disk limits', async () => {
  const held: ClientRequest[] = [];
  const hold = async (user: TestUser) => {
    const count = (await uploads()).length;
    held.push(begin(user, megabyte));
    await waitFor('it to be received', async () => (await uploads()).length > count);
  };
  const users = await Promise.all(Array.from({ length: 5 }, () => createUser(api)));
  const [first, ...others] = users as [TestUser, ...TestUser[]];
  await hold(first);
  await hold(first);
  const refused = await send(first);
  assert.deepEqual([refused.statusCode, refused.json().code], [429, 'too_many_uploads']);
  assert.ok(refused.headers['retry-after']);
  const beyond = begin(first, megabyte);
  assert.equal((await answerOf(beyond)).status, 429);
  beyond.destroy();
  const [last, ...more] = others as [TestUser, ...TestUser[]];
  assert.equal((await send(last)).statusCode, 201);
  for (const user of more) {
    await hold(user);
    await hold(user);
  }
  const full = await send(last);
  assert.deepEqual([full.statusCode, full.json().code], [507, 'no_room']);
  assert.equal(
    full.json().error,
    'The server has no room for this upload at the moment; please try again later',
  );
  for (const upload of held) upload.destroy();
  await waitFor('the files to be gone', async () => (await uploads()).length === 0);
  // The room of a file ends after the file.
  for (const user of [first, last]) await waitFor('room', async () => (await send(user)).statusCode === 201);
});

/** Begins to send a list of serials over a real connection. The test ends it. */
function beginList(
  { token }: TestUser,
  path: string,
  headers: Record<string, number | string>,
): ClientRequest {
  const list = request({
    method: 'POST',
    host: '127.0.0.1',
    port: (api.app.server.address() as AddressInfo).port,
    path,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
  });
  list.on('error', () => undefined);
  list.write('{"serials":["356938030010004"');
  return list;
}

const heldShares = async () => (await api.context.db.query('SELECT FROM held_shares')).rowCount;

test('a list of more than 1 MB counts as an upload from before its body until its answer', async () => {
  const user = await createUser(api);
  const large = { 'content-length': megabyte + 1 };
  for (const path of ['/api/data/serials', '/api/data/serials/preview']) {
    const held = [beginList(user, path, large), beginList(user, path, { 'transfer-encoding': 'chunked' })];
    await waitFor('both to be counted', async () => (await heldShares()) === 2);
    const third = beginList(user, path, large);
    const { status, code } = await answerOf(third);
    assert.deepEqual([status, code], [429, 'too_many_uploads']);
    third.destroy();
    const body = { serials: ['356938030010004'] };
    const short = await api.send(`POST ${path}`, { token: user.token, body });
    assert.ok(short.statusCode < 300, short.body);
    const [announced, chunked] = held as [ClientRequest, ClientRequest];
    const answer = answerOf(chunked);
    chunked.end(']}');
    assert.ok(((await answer).status ?? 500) < 300);
    announced.destroy();
    await waitFor('none to be counted', async () => (await heldShares()) === 0);
  }
});

test('uploads are refused below the minimum of free space, in both languages', async () => {
  const full = await createTestApi({ MIN_FREE_MB: '1000000000' });
  try {
    const user = await createUser(full);
    for (const [language, message] of [
      ['en', 'The server has no room for this upload at the moment; please try again later'],
      ['id', 'Server sedang tidak memiliki ruang untuk unggahan ini; silakan coba lagi nanti'],
    ]) {
      const answer = await full.send('POST /api/data/upload', {
        token: user.token,
        file,
        headers: { 'accept-language': String(language) },
      });
      assert.equal(answer.statusCode, 507);
      assert.deepEqual(answer.json(), { message, error: message, code: 'no_room' });
    }
    assert.deepEqual(await readdir(join(full.context.config.DATA_DIR, 'uploads')), []);
  } finally {
    await full.close();
  }
});
