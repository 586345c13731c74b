import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { sendInPieces } from '#tests/support/api/send-in-pieces.ts';
import { holdLock, waitForWaiting } from '#tests/support/database/race.ts';
import { resealProxies } from './reseal-proxies.service.ts';

let api: TestApi;
let admin: TestUser;
// Already the 22nd in Jakarta.
const start = new Date('2026-11-21T18:00:00Z');

before(async () => {
  api = await createTestApi({ PROXY_SET_DAYS: '30' });
  api.clock.set(start);
  admin = await createUser(api, { superadmin: true });
});
after(() => api.close());
beforeEach(async () => {
  // Back to a time at which the token is valid.
  api.clock.set(start);
  await api.context.db.query('DELETE FROM proxy_sets');
  await api.context.db.query('DELETE FROM counters');
});

const upload = (content: string | Buffer, headers = {}) =>
  api.send('POST /api/proxies/upload', {
    token: admin.token,
    file: { field: 'file', name: 'proxies.txt', content, type: 'text/plain' },
    headers,
  });
const list = async () => (await api.send('GET /api/proxies/sets', { token: admin.token })).json();
const lines = (count: number) =>
  Array.from({ length: count }, (_, n) => `203.0.${Math.floor(n / 250)}.${n % 250}:8080`);

test('an upload stores the usable lines and lists the others', async () => {
  const answer = await upload(['', ...lines(7), 'user:secret@', 'nonsense', ...lines(2)].join('\n'));
  assert.equal(answer.statusCode, 201);
  assert.deepEqual(answer.json(), {
    message: 'Proxies uploaded successfully',
    data: {
      proxy_set: 'set-20261122-01',
      proxies_count: 7,
      expire_date: '2026-12-21T18:00:00.000Z',
      sample_proxies: lines(5),
      rejected: [
        { line: 9, reason: 'Not IP:PORT' },
        { line: 10, reason: 'Not IP:PORT' },
      ],
      rejected_count: 2,
      duplicate_count: 2,
    },
  });
  const indonesian = await upload('x', { 'accept-language': 'id' });
  assert.deepEqual(indonesian.json().details, [{ path: '1', message: 'Bukan IP:PORT' }]);
  const many = await upload(`203.0.113.5:80\n${'x\n'.repeat(25)}`);
  assert.equal(many.json().data.rejected.length, 20);
  assert.equal(many.json().data.rejected_count, 25);
});

test('an upload is refused when the password changes before it commits', async () => {
  const { db } = api.context;
  const other = await createUser(api, { superadmin: true, companyCode: admin.companyCode });
  const answer = await holdLock(db, ['LOCK TABLE counters IN SHARE MODE', []], async (letGo) => {
    const file = { field: 'file', name: 'proxies.txt', content: '203.0.113.5:80' };
    const uploading = api.send('POST /api/proxies/upload', { token: other.token, file });
    await waitForWaiting(db, 1);
    const body = { currentPassword: other.password, newPassword: 'another password' };
    await api.send('POST /api/auth/change-password', { token: other.token, body });
    await letGo();
    return uploading;
  });
  assert.deepEqual([answer.statusCode, answer.json().code], [401, 'session_ended']);
  assert.equal((await db.query('SELECT FROM proxy_sets')).rowCount, 0);
});

test('sets of one day are numbered without gaps, also when uploaded at the same time', async () => {
  const answers = await Promise.all(lines(4).map((line) => upload(line)));
  assert.deepEqual(answers.map((answer) => answer.json().data.proxy_set).sort(), [
    'set-20261122-01',
    'set-20261122-02',
    'set-20261122-03',
    'set-20261122-04',
  ]);
});

test('a set is Active until it expires, and the list shows the remaining time', async () => {
  await upload('203.0.113.5:80\nuser:secret@203.0.113.6:80\nsocks5://203.0.113.7:1080');
  const at = async (instant: string) => {
    api.clock.set(new Date(instant));
    // The first token has expired by then.
    const body = { email: admin.email, password: admin.password };
    const token = (await api.send('POST /api/auth/login', { body })).json().token;
    return (await api.send('GET /api/proxies/sets', { token })).json();
  };
  const { data, summary } = await at('2026-11-21T18:00:01Z');
  assert.deepEqual(data, [
    {
      _id: data[0]._id,
      proxy_set: 'set-20261122-01',
      status: 'Active',
      date: '2026-11-21T18:00:00.000Z',
      expire_date: '2026-12-21T18:00:00.000Z',
      proxies_count: 3,
      remaining_time: '29 days 23 hours',
      proxies: ['203.0.113.5:80', 'user:secret@203.0.113.6:80', 'socks5://203.0.113.7:1080'],
    },
  ]);
  assert.deepEqual(summary, { total: 1, active: 1, inactive: 0, total_proxies: 3 });
  const remaining = async (instant: string) => (await at(instant)).data[0].remaining_time;
  assert.equal(await remaining('2026-12-20T17:00:00Z'), '1 day 1 hour');
  assert.equal(await remaining('2026-12-21T17:58:59Z'), '1 minute');
  assert.equal(await remaining('2026-12-20T18:00:01Z'), '23 hours 59 minutes');
  const expired = await at('2026-12-21T18:00:00Z');
  assert.equal(expired.data[0].status, 'Inactive');
  assert.equal(expired.data[0].remaining_time, null);
  assert.deepEqual(expired.summary, { total: 1, active: 0, inactive: 1, total_proxies: 3 });
});

test('sets are listed newest first, and deleting one deletes its proxies', async () => {
  await upload('203.0.113.5:80');
  await upload('203.0.113.6:80');
  const names = async () => (await list()).data.map((set: { proxy_set: string }) => set.proxy_set);
  assert.deepEqual(await names(), ['set-20261122-02', 'set-20261122-01']);
  const remove = () => api.send('DELETE /api/proxies/set-20261122-02', { token: admin.token });
  assert.deepEqual((await remove()).json(), { message: 'Proxy set deleted' });
  assert.equal((await remove()).statusCode, 404);
  assert.deepEqual(await names(), ['set-20261122-01']);
  assert.equal((await api.context.db.query('SELECT FROM proxies')).rowCount, 1);
});

test('a file that is too large is refused, in one chunk or in many', async () => {
  const maxBytes = 10 * 1024 * 1024;
  const line = Buffer.from('203.0.113.5:80\n');
  const whole = Buffer.alloc(maxBytes, line);
  for (const pieces of [
    [whole, line],
    [whole, whole],
    [whole.subarray(0, 1000), whole.subarray(1000), Buffer.from('\n')],
    [whole.subarray(0, -1), line],
    [whole.subarray(0, -15), line, line],
  ]) {
    const upload = { token: admin.token, field: 'file', pieces };
    const answer = await sendInPieces(api, '/proxies/upload', upload);
    assert.equal(answer.statusCode, 413, answer.body);
    const { code, message, error } = answer.json();
    assert.deepEqual(
      [code, message, error],
      ['too_large', 'The file is larger than 10MB. Split it and upload the parts one by one.', message],
    );
  }
  assert.equal((await list()).summary.total, 0);
});

test('an unusable file is refused, and nothing is stored', async () => {
  const send = (file?: object) =>
    api.send('POST /api/proxies/upload', { token: admin.token, ...file, fields: { note: 'x' } });
  const cases = [
    [await upload('# nothing\n\n'), 422, 'no_usable_proxy'],
    [await upload(''), 422, 'no_usable_proxy'],
    [await upload(Buffer.from([0x50, 0x4b, 3, 4, 0, 0])), 415, 'not_text'],
    [await upload(Buffer.from('203.0.113.5:80 caf\xe9', 'latin1')), 415, 'not_text'],
    [await upload(`${'#'.repeat(10 * 1024 * 1024)}\n`), 413, 'too_large'],
    [await send(), 400, 'file_missing'],
    [await send({ file: { field: 'other', name: 'p.txt', content: '203.0.113.5:80' } }), 400, 'file_missing'],
    [await api.send('POST /api/proxies/upload', { token: admin.token, body: {} }), 400, 'file_missing'],
    [
      await api.send('POST /api/proxies/upload', {
        token: admin.token,
        body: '--b\r\nbroken',
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
      }),
      400,
      'malformed',
    ],
    [
      await api.send('POST /api/proxies/upload', {
        token: admin.token,
        body: 'x',
        headers: { 'content-type': 'multipart/form-data' },
      }),
      400,
      'malformed',
    ],
  ] as const;
  for (const [answer, status, code] of cases) {
    assert.deepEqual([answer.statusCode, answer.json().code], [status, code]);
    if (code === 'file_missing') assert.equal(answer.json().details?.[0].path, 'file');
  }
  assert.deepEqual((await list()).data, []);
  assert.equal((await upload(`203.0.113.5:80\n${'#'.repeat(10 * 1024 * 1024 - 15)}`)).statusCode, 201);
});

test('a proxy’s password is sealed in the database and in clear text in the list', async () => {
  await upload('me:hush-hush@203.0.113.30:8080\nme:hush-hush@203.0.113.31:8080\n203.0.113.32:80');
  const stored = async () => {
    const { rows } = await api.context.db.query<{ url: string }>(
      `SELECT url FROM proxies WHERE url LIKE '%203.0.113.3_:%' ORDER BY url`,
    );
    return rows.map(({ url }) => url);
  };
  const [plain = '', ...sealed] = await stored();
  assert.equal(plain, 'http://203.0.113.32:80');
  for (const url of sealed)
    assert.match(url, /^http:\/\/me:sealed\.[0-9a-f]{8}\.[\w-]+@203\.0\.113\.3[01]:8080$/);
  assert.ok((await list()).data[0].proxies.includes('me:hush-hush@203.0.113.30:8080'));

  // The form of passwords stored before they were sealed.
  await api.context.db.query(
    `UPDATE proxies SET url = 'http://me:hush-hush@203.0.113.30:8080' WHERE url LIKE '%203.0.113.30%'`,
  );
  assert.ok((await list()).data[0].proxies.includes('me:hush-hush@203.0.113.30:8080'));
  assert.equal(await resealProxies(api.context.db), 1);
  assert.deepEqual(await stored(), [plain, ...sealed]);
  assert.equal(await resealProxies(api.context.db), 0);

  const { SECRETS_KEY: before = assert.fail() } = process.env;
  try {
    Object.assign(process.env, {
      SECRETS_KEY: 'a new key that takes over from the old one',
      SECRETS_KEY_OLD: before,
    });
    assert.equal(await resealProxies(api.context.db), 2);
    delete process.env.SECRETS_KEY_OLD;
    assert.ok((await list()).data[0].proxies.includes('me:hush-hush@203.0.113.31:8080'));
    process.env.SECRETS_KEY = before;
    await assert.rejects(resealProxies(api.context.db), /SECRETS_KEY lacks the key/);
  } finally {
    process.env.SECRETS_KEY = before;
    delete process.env.SECRETS_KEY_OLD;
    await api.context.db.query('DELETE FROM proxy_sets');
  }
});
