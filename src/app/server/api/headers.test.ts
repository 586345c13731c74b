import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { buildApi } from './api.ts';

let api: TestApi;
let admin: TestUser;

before(async () => {
  api = await createTestApi();
  admin = await createUser(api, { superadmin: true });
});
after(() => api.close());

/** Returns responses of every kind: data, a file, failures of each layer, pages, metrics and health. */
async function answers(): Promise<[string, LightMyRequestResponse][]> {
  const { token } = admin;
  const credentials = { email: admin.email, password: 'not it, not it' };
  const asked = [
    ['GET /api/clients', { token }],
    ['POST /api/auth/login', { body: credentials }],
    ['GET /api/imei/download?format=json', { token }],
    ['GET /api/clients', {}],
    ['GET /api/clients?page=0', { token }],
    ['GET /api/clients/%zz', { token }],
    ['POST /api/clients', { token, body: '{', headers: { 'content-type': 'application/json' } }],
    ['GET /api/nothing', {}],
    ['GET /api/health/live', {}],
    ['GET /api/openapi.json', {}],
    ['GET /api/docs/', {}],
    ['GET /metrics', {}],
    ['GET /nothing.map', {}],
    ['POST /nothing', {}],
  ] as const;
  const given = asked.map(async ([call, send]) => [call, await api.send(call, send)] as const);
  return (await Promise.all(given)).map(([call, answer]) => [call, answer]);
}

/** Sends a raw request on a new connection. Returns the raw response. */
async function speak(lines: string[]): Promise<string> {
  if (!api.app.server.listening) await api.app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((api.app.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.end(lines.join('\r\n'));
  return text(socket);
}

test('every response has nosniff, no-referrer and a content security policy', async () => {
  for (const [call, { headers }] of await answers()) {
    assert.equal(headers['x-content-type-options'], 'nosniff', call);
    assert.equal(headers['referrer-policy'], 'no-referrer', call);
    const policy = String(headers['content-security-policy']).split(/; ?/);
    assert.deepEqual(
      ["default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"].filter(
        (directive) => !policy.includes(directive),
      ),
      [],
      call,
    );
    assert.equal(headers['x-powered-by'], undefined, call);
  }
});

/** The security headers of every response, and those that are added if PUBLIC_URL uses TLS. */
const plain = {
  'content-security-policy': [
    ...["base-uri 'none'", "default-src 'self'", "font-src 'self'", "form-action 'self'"],
    ...["frame-ancestors 'none'", "img-src 'self' data:", "object-src 'none'", "script-src 'self'"],
    ...["script-src-attr 'none'", "style-src 'self' 'unsafe-inline'"],
  ].join(),
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};
const byTls = {
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
};

const sortPolicy = (policy: string) => policy.split(/; ?/).sort().join();

test('responses have exactly the expected security headers', async (t) => {
  const secure = await buildApi({ ...api.context, publicUrl: 'https://coverdesk.test' }, []);
  t.after(() => secure.close());
  const own =
    /^(cache-control|connection|content-(type|length|disposition)|date|etag|keep-alive|transfer-encoding)$/;
  const said = ({ headers }: LightMyRequestResponse) =>
    Object.fromEntries(
      Object.entries(headers)
        .filter(([name]) => !own.test(name))
        .map(([name, words]) => [
          name,
          name === 'content-security-policy' ? sortPolicy(String(words)) : words,
        ]),
    );
  const headers = { authorization: `Bearer ${admin.token}` };
  for (const url of [
    '/api/clients',
    '/api/clients?page=0',
    '/api/imei/download?format=json',
    '/nothing.map',
    '/metrics',
  ]) {
    assert.deepEqual(said(await api.app.inject({ url, headers })), plain, url);
    assert.deepEqual(said(await secure.inject({ url, headers })), { ...plain, ...byTls }, url);
  }
});

test('no response allows another origin to read it', async () => {
  const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' };
  for (const call of ['GET /api/clients', 'OPTIONS /api/clients', 'POST /api/auth/login', 'GET /login']) {
    const answer = await api.send(call, { token: admin.token, headers });
    const allowed = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'));
    assert.deepEqual([call, allowed], [call, []]);
  }
});

test('no public call accepts a request that a form of another origin can send without a preflight', async () => {
  const fields = { email: admin.email, password: 'not it, not it' };
  const bodies = {
    'text/plain': JSON.stringify(fields),
    'application/x-www-form-urlencoded': new URLSearchParams(fields).toString(),
  };
  for (const path of ['/api/auth/login', '/api/auth/forgot-password', '/api/auth/reset-password']) {
    for (const [type, body] of Object.entries(bodies)) {
      const answer = await api.send(`POST ${path}`, { body, headers: { 'content-type': type } });
      assert.equal(answer.statusCode, 415, `${path} ${type}`);
    }
    assert.equal((await api.send(`POST ${path}`, { fields })).statusCode, 415, path);
  }
});

test('every response below /api forbids caching, including failures and sign-in', async () => {
  for (const [call, { headers }] of await answers()) {
    if (!/ \/(api\/|metrics)/.test(call) || call.includes('/api/docs')) continue;
    assert.equal(headers['cache-control'], 'no-store', call);
  }
});

test('caching is forbidden in every spelling of an address', async () => {
  if (!api.app.server.listening) await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${admin.token}` };
  for (const path of ['/api/clients', '/%61pi/clients', 'http://a/api/clients', '/%6detrics']) {
    const [answer] = (await once(get({ host: '127.0.0.1', port, path, headers }), 'response')) as [
      IncomingMessage,
    ];
    answer.resume();
    assert.deepEqual([answer.statusCode, answer.headers['cache-control']], [200, 'no-store'], path);
  }
});

test('every response with a body has a content type, and texts a charset', async () => {
  for (const [call, { headers, body }] of await answers()) {
    const type = String(headers['content-type'] ?? '');
    assert.equal(type === '', body === '', `${call}: ${type}`);
    if (/^text\/|json|xml/.test(type)) assert.match(type, /charset=utf-8/, call);
  }
});

test('Strict-Transport-Security of one year is sent only if PUBLIC_URL uses TLS', async () => {
  assert.equal((await api.send('GET /api/health/live')).headers['strict-transport-security'], undefined);
  const secure = await buildApi({ ...api.context, publicUrl: 'https://coverdesk.test' }, []);
  for (const url of ['/api/health/live', '/api/clients', '/login', '/api/docs/']) {
    const { headers } = await secure.inject({ url });
    assert.equal(headers['strict-transport-security'], 'max-age=31536000; includeSubDomains', url);
  }
  await secure.close();
});

test('TRACE does not echo the request', async () => {
  for (const path of ['/', '/api/clients', '/metrics']) {
    const answer = await speak([`TRACE ${path} HTTP/1.1`, 'Host: a', 'X-Sent: kept-1', '', '']);
    assert.match(answer, /^HTTP\/1\.1 40[45] /, path);
    assert.doesNotMatch(answer, /kept-1/, path);
  }
});

test('malformed HTTP and a too large head get the common shape of failures', async () => {
  const unreadable: [status: number, code: string, lines: string[]][] = [
    [400, 'malformed', ['this is not HTTP', '', '']],
    [400, 'malformed', ['GET /api/clients HTTP/1.1', 'Host: a', 'no header', '', '']],
    [431, 'too_large', ['GET /api/clients HTTP/1.1', 'Host: a', `X-Long: ${'x'.repeat(20_000)}`, '', '']],
  ];
  for (const [status, code, lines] of unreadable) {
    const [head = '', body = ''] = (await speak(lines)).split('\r\n\r\n');
    assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `));
    const headers = new Map(
      head.split('\r\n').map((line) => line.toLowerCase().split(/: ?(.*)/) as [string, string]),
    );
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'self'/);
    assert.equal(headers.get('connection'), 'close');
    assert.equal(headers.get('content-length'), String(Buffer.byteLength(body)));
    const failure = JSON.parse(body);
    assert.deepEqual(Object.keys(failure), ['message', 'error', 'code']);
    assert.deepEqual([failure.code, failure.error], [code, failure.message]);
    assert.match(failure.message, /^The request /);
  }
});

test('a request with an ambiguous body length is refused', async () => {
  const head = ['POST /api/auth/login HTTP/1.1', 'Host: a', 'Content-Type: application/json'];
  const twice = [
    ['Content-Length: 4', 'Transfer-Encoding: chunked', '', '0', '', ''],
    ['Content-Length: 4', 'Content-Length: 5', '', '{}  ', ''],
    ['Transfer-Encoding: chunked, identity', '', '0', '', ''],
  ];
  for (const rest of twice) assert.match(await speak([...head, ...rest]), /^HTTP\/1\.1 400 /, rest[0]);
});

test('a repeated parameter is refused if the call takes one value', async () => {
  const answer = await api.send('GET /api/clients?page=1&page=2', { token: admin.token });
  assert.deepEqual([answer.statusCode, answer.json().details[0].path], [400, 'page']);
});
