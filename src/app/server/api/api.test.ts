import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { pino } from 'pino';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { holdLock, waitForWaiting } from '#tests/support/database/race.ts';
import { waitFor } from '#tests/support/wait.ts';

const lines: string[] = [];
const warnings: Error[] = [];
const keepWarning = (warning: Error) => warnings.push(warning);
let api: TestApi;
let admin: TestUser;

before(async () => {
  process.on('warning', keepWarning);
  api = await createTestApi({}, pino({ level: 'info' }, { write: (line: string) => lines.push(line) }));
  admin = await createUser(api, { superadmin: true });
});
after(async () => {
  await api.close();
  process.off('warning', keepWarning);
});

const failureOf = async (call: string, send: object = {}) => {
  const answer = await api.send(call, send);
  const body = answer.json();
  assert.equal(body.error, body.message);
  return [answer.statusCode, body.code];
};

test('an unknown path is answered 404 in the common shape of failures', async () => {
  assert.deepEqual(await failureOf('GET /api/nothing'), [404, 'not_found']);
  assert.deepEqual(await failureOf('GET /api'), [404, 'not_found']);
  assert.deepEqual(await failureOf('POST /api/health/live'), [404, 'not_found']);
  assert.deepEqual(await failureOf('GET /api/clients/%zz', { token: admin.token }), [400, 'malformed']);
});

test('a body that cannot be read is refused', async () => {
  const { token } = admin;
  const json = { 'content-type': 'application/json' };
  const cases = [
    [{ body: '{"email":', headers: json }, [400, 'malformed']],
    [{ body: '{"__proto__":{"x":1}}', headers: json }, [400, 'malformed']],
    [{ body: '<x/>', headers: { 'content-type': 'text/xml' } }, [415, 'unsupported_media_type']],
    [{ body: '{}', headers: { 'content-type': 'text/plain' } }, [415, 'unsupported_media_type']],
    [{ fields: { name: 'Acme' } }, [415, 'unsupported_media_type']],
    [{ body: JSON.stringify('x'.repeat(1_100_000)), headers: json }, [413, 'too_large']],
    [{ body: '', headers: json }, [400, 'invalid']],
    [{}, [400, 'invalid']],
  ] as const;
  for (const [send, expected] of cases) {
    assert.deepEqual(await failureOf('POST /api/clients', { token, ...send }), expected);
  }
});

test('a caller without a session may send some KB, also to a path that does not exist', async () => {
  const send = (bytes: number) => ({ body: { email: 'x'.repeat(bytes), password: 'x' } });
  assert.deepEqual(await failureOf('POST /api/auth/login', send(10_000)), [400, 'invalid']);
  for (const call of ['POST /api/auth/login', 'POST /api/auth/forgot-password', 'POST /api/nothing'])
    assert.deepEqual(await failureOf(call, send(100_000)), [413, 'too_large'], call);
  assert.deepEqual(await failureOf('POST /api/clients', { ...send(100_000), token: admin.token }), [
    400,
    'invalid',
  ]);
});

test('a body whose JSON is nested too deeply is refused before it is parsed', async () => {
  const { token } = await createUser(api);
  const headers = { 'content-type': 'application/json' };
  const refused =
    'The JSON of the request is nested too deeply: send at most 32 levels. Nothing was changed.';
  const nest = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);
  for (const body of [
    nest('[', ']', 33),
    `{"serials":${nest('[', ']', 5_000_000)}}`,
    '{"a":'.repeat(33),
    `["\\"[",${nest('[', ']', 32)}]`,
  ]) {
    const answer = await api.send('POST /api/data/serials', { token, headers, body });
    const { code, message } = answer.json();
    assert.deepEqual([answer.statusCode, code, message], [400, 'malformed', refused]);
  }
  for (const body of [
    nest('[', ']', 32),
    `["${'['.repeat(40)}\\"${'{'.repeat(40)}"]`,
    `[${'[],'.repeat(40)}[]]`,
  ])
    assert.deepEqual(
      await failureOf('POST /api/data/serials', { token, headers, body }),
      [400, 'invalid'],
      body,
    );
});

test('a character that cannot be stored is refused with the name of its field', async () => {
  const standard = await createUser(api);
  for (const [call, body, path, { token } = admin] of [
    ['POST /api/clients', { company_name: 'a\0b' }, 'company_name'],
    ['POST /api/clients', { company_name: 'a\ud83db' }, 'company_name'],
    ['POST /api/data/serials', { serials: ['C02ABCD1', 'a\ud83d'] }, 'serials.1', standard],
    ['PUT /api/budgets/a%00b', { monthly_rupiah: 1 }, 'company_code'],
  ] as const) {
    const answer = await api.send(call, { token, body });
    assert.deepEqual([answer.statusCode, answer.json().details?.[0].path], [400, path], answer.body);
  }
});

test('a call without a body may say that it is JSON', async () => {
  const order = { data_count: 1, company_code: admin.companyCode };
  const made = await api.send('POST /api/tickets', { token: admin.token, body: order });
  const answer = await api.send(`POST /api/tickets/${made.json().ticket._id}/cancel`, {
    token: admin.token,
    headers: { 'content-type': 'application/json' },
  });
  assert.equal(answer.statusCode, 200);
});

test('failures are in the language of the caller', async () => {
  const ask = async (language: string) =>
    (await api.send('GET /api/nothing', { headers: { 'accept-language': language } })).json().message;
  assert.equal(await ask('id-ID,id;q=0.9,en;q=0.8'), 'Tidak ditemukan');
  assert.equal(await ask('en,id;q=0.9'), 'Not found');
  assert.equal(await ask('fr'), 'Not found');
});

test('no secret is logged: no password, session token, reset token or query', async () => {
  await api.send('POST /api/auth/login', { body: { email: 'a@example.test', password: 'hidden-1' } });
  await api.send('GET /api/tickets/last?x=hidden-2', { token: 'hidden-3.hidden-3.hidden-3' });
  await api.send('GET /api/auth/verify-reset-token/hidden-4');
  await api.send('GET /reset-password/hidden-5?x=1');
  await api.send('GET /invitation/hidden-6');
  for (const path of ['api/%63alendar/', 'api/calendar%2F', 'Reset%2Dpassword/', 'api/%E0%A4%A/calendar/']) {
    await api.send(`GET /${path}hidden-7`);
  }
  const log = lines.join('');
  assert.doesNotMatch(log, /hidden/);
  assert.match(log, /"url":"\/api\/auth\/verify-reset-token\/\[secret\]"/);
});

test('without its database the process is live but not ready, and logs no stack trace', async () => {
  const lonely = await createTestApi(
    {},
    pino({ level: 'info' }, { write: (line: string) => lines.push(line) }),
  );
  const server = new URL(lonely.context.databaseUrl);
  const name = server.pathname.slice(1);
  server.pathname = '/postgres';
  const client = new pg.Client({ connectionString: server.href });
  await client.connect();
  // The work that starts with the process is still running when the database stops.
  const holder = await lonely.context.db.connect();
  holder.on('error', () => undefined);
  const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await holder.query('BEGIN; LOCK TABLE row_deletions');
  assert.equal((await lonely.send('GET /api/health/ready')).statusCode, 200);
  lines.length = 0;
  await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await client.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> $2',
    [name, rows[0]?.pid],
  );
  await client.end();
  assert.equal((await lonely.send('GET /api/health/live')).statusCode, 200);
  const ready = await lonely.send('GET /api/health/ready');
  assert.deepEqual([ready.statusCode, ready.json().code], [503, 'unavailable']);
  holder.release(true);
  await lonely.close();
  assert.doesNotMatch(lines.filter((line) => line.includes('"level":50')).join(''), /stack/);
});

test('Node emits no warning', () => {
  assert.deepEqual(warnings, []);
});

test('the log line of a call has the user and address, also for a refused call', async () => {
  const user = await createUser(api);
  const lineOf = async (call: string, send: object) => {
    lines.length = 0;
    await api.send(call, send);
    return JSON.parse(lines.find((line) => line.includes('"answered"')) ?? assert.fail('no line'));
  };
  const refused = await lineOf('GET /api/clients', { token: user.token });
  assert.deepEqual([refused.status, refused.user, refused.address], [403, user.id, '127.0.0.1']);
  const unknown = await lineOf('GET /api/clients', {});
  assert.deepEqual([unknown.status, unknown.user, unknown.address], [401, undefined, '127.0.0.1']);
  const served = await lineOf('GET /api/tickets/last', { token: user.token });
  assert.deepEqual([served.status, served.user, served.address], [200, user.id, '127.0.0.1']);
});

test('a call whose connection ends before the response is complete is logged', async () => {
  const user = await createUser(api);
  if (!api.app.server.listening) await api.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = api.app.server.address() as AddressInfo;
  lines.length = 0;
  const headers = { authorization: `Bearer ${user.token}` };
  const { db } = api.context;
  const line = await holdLock(db, ['LOCK tickets IN ACCESS EXCLUSIVE MODE', []], async () => {
    const request = get({
      host: '127.0.0.1',
      port,
      path: '/api/tickets/last?secret=1',
      headers,
      agent: false,
    });
    request.on('error', () => null);
    await waitForWaiting(db, 1);
    request.destroy();
    const find = async () => lines.find((written) => written.includes('before the response was complete'));
    return JSON.parse((await waitFor('the line', find)) ?? '');
  });
  const { method, url, user: caller, address } = line;
  assert.deepEqual([method, url, caller, address], ['GET', '/api/tickets/last', user.id, '127.0.0.1']);
});

test('a body that is too large is answered while it is still sent, and the connection stays', async () => {
  if (!api.app.server.listening) await api.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = api.app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (text) => {
    received += text;
  });
  const bytes = 8 * 1024 * 1024;
  socket.write(
    `POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`,
  );
  await waitFor('the answer', async () => received.startsWith('HTTP/1.1 413 '));
  socket.write(Buffer.alloc(bytes));
  socket.write('GET /api/health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await once(socket, 'end');
  assert.match(received, /"code":"too_large".*HTTP\/1\.1 200 OK/s);
});

test('the log warns once about a reverse proxy that is not in TRUST_PROXY', async () => {
  const forwarded = { headers: { 'x-forwarded-for': '203.0.113.5' } };
  lines.length = 0;
  await api.send('GET /api/health/live', forwarded);
  await api.send('GET /api/health/live', forwarded);
  assert.equal(lines.filter((line) => line.includes('TRUST_PROXY is unset')).length, 1);
});
