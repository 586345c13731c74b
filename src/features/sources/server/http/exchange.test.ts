import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { createRateLimiter } from '#features/lookups/server/gate/limits/rate-limiter.ts';
import { startUpstream } from '#tests/support/sources/upstream.ts';
import { type StandIn, startStandIn } from '#tests/support/sources/vendor-stand-in.ts';
import { waitFor } from '#tests/support/wait.ts';
import { type Connections, createDirectConnections } from './connections.ts';
import { exchange } from './exchange.ts';
import { HttpFailure } from './http-failure.ts';
import type { HttpRequest } from './http-messages.ts';

let standIn: StandIn;
let connections: Connections;
let answer: { body: Buffer; headers: Record<string, string> };
before(async () => {
  connections = createDirectConnections();
  standIn = await startStandIn(({ path }) => {
    if (path === '/hang') return new Promise(() => undefined);
    if (path === '/hang-up') return 'hang up';
    if (path === '/bytes') return answer;
    if (path === '/large') return { body: 'x'.repeat(300 * 1024) };
    if (path === '/moved') return { status: 302, headers: { location: '/' }, body: '' };
    return { status: 200, headers: { 'x-two': 'a' }, body: { path } };
  });
});
after(async () => {
  await connections.destroy();
  await standIn.close();
});

const get = (origin: string, path: string): HttpRequest => ({
  method: 'GET',
  origin,
  path,
  headers: {},
  body: null,
});

async function faultOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'none';
  } catch (error) {
    assert.ok(error instanceof HttpFailure, String(error));
    return error.fault;
  }
}

test('bodies with a byte order mark, compressed unasked or in a declared charset are read', async () => {
  const text = '{"name":"Été ™"}';
  const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');
  const bodies: [Buffer, Record<string, string>][] = [
    [Buffer.from(`\uFEFF${text}`), {}],
    [utf16, {}],
    [Buffer.from(utf16).swap16(), {}],
    [gzipSync(text), { 'content-encoding': 'gzip' }],
    [gzipSync(text), {}],
    [deflateSync(text), { 'content-encoding': 'deflate' }],
    [brotliCompressSync(text), { 'content-encoding': 'br' }],
    [gzipSync(utf16), { 'content-encoding': 'GZIP', 'content-type': 'application/json' }],
    [
      Buffer.from(text.replace('™', '\x99'), 'latin1'),
      { 'content-type': 'text/json; charset="windows-1252"' },
    ],
    [Buffer.from(text), { 'content-type': 'application/json; charset=none-such' }],
  ];
  for (const [body, headers] of bodies) {
    answer = { body, headers };
    const { body: read } = await exchange(connections, get(standIn.url, '/bytes'), 60_000);
    assert.equal(read, text, JSON.stringify(headers));
  }
});

test('decompressed bytes count towards the limit, and a damaged body is unusable', async () => {
  const zeros = gzipSync(Buffer.alloc(50_000_000));
  for (const body of [zeros, zeros.subarray(0, 1000), Buffer.from([0x1f, 0x8b, 1, 2, 3])]) {
    answer = { body, headers: { 'content-encoding': 'gzip' } };
    assert.equal(await faultOf(exchange(connections, get(standIn.url, '/bytes'), 60_000)), 'unusable');
  }
});

test('returns status, headers and body', async () => {
  let sent = 0;
  const answer = await exchange(connections, get(standIn.url, '/a?b=c'), 60_000, undefined, () => {
    sent += 1;
    return true;
  });
  assert.deepEqual(
    [answer.status, answer.headers['x-two'], answer.body, sent],
    [200, 'a', '{"path":"/a"}', 1],
  );
});

test('joins the chunks of a body, also when a character is split', async () => {
  const letters = Buffer.from('é');
  const server = createServer((_, response) => {
    for (const piece of [Buffer.from('caf'), letters.subarray(0, 1), letters.subarray(1)])
      response.write(piece);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const own = createDirectConnections();
  assert.equal((await exchange(own, get(origin, '/'), 60_000)).body, 'café');
  await own.destroy();
  server.close();
});

test('returns a redirect instead of following it', async () => {
  const before = standIn.received.length;
  assert.equal((await exchange(connections, get(standIn.url, '/moved'), 60_000)).status, 302);
  assert.equal(standIn.received.length, before + 1);
});

test('reports the cause of a missing response', async () => {
  // Time enough to connect on a busy machine: before the request is sent, the target would be unreachable.
  assert.equal(await faultOf(exchange(connections, get(standIn.url, '/hang'), 1500)), 'interrupted');
  assert.equal(await faultOf(exchange(connections, get(standIn.url, '/hang-up'), 60_000)), 'interrupted');
  assert.equal(await faultOf(exchange(connections, get(standIn.url, '/large'), 60_000)), 'unusable');
  const aborted = exchange(connections, get(standIn.url, '/hang'), 60_000, AbortSignal.timeout(50));
  assert.equal(await faultOf(aborted), 'aborted');
  const broken = { ...get(standIn.url, '/'), headers: { 'x-key': 'two\nlines' } };
  assert.equal(await faultOf(exchange(connections, broken, 60_000)), 'interrupted');
});

test('a target that accepts no connection is unreachable', async () => {
  const closed: Server = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  await once(closed, 'close');
  const targets = [
    `http://127.0.0.1:${port}`,
    'https://no-such-host.invalid',
    'https://169.254.169.254',
    'http://10.0.0.1',
    // A server without TLS.
    standIn.url.replace('http:', 'https:'),
  ];
  for (const target of targets) {
    assert.equal(await faultOf(exchange(connections, get(target, '/'), 60_000)), 'unreachable', target);
  }
});

test('a target that does not answer the TLS handshake is unreachable', async () => {
  const accepted: Socket[] = [];
  const silent = createTcpServer((socket) => accepted.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  assert.equal(
    await faultOf(exchange(connections, get(`https://127.0.0.1:${port}`, '/'), 200)),
    'unreachable',
  );
  silent.close();
  for (const socket of accepted) socket.destroy();
});

test('a response that arrived while the process was frozen is used', async () => {
  const upstream = await startUpstream();
  await upstream.setLatency(200);
  const answer = exchange(connections, get(upstream.url, '/a'), 1000);
  // First the request is sent. Then the response arrives and the timeout passes while the process is blocked.
  answer.catch(() => undefined);
  try {
    await waitFor('the request to arrive', async () => (await upstream.report()).starts.length === 1);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
    assert.equal((await answer).status, 200);
  } finally {
    await upstream.close();
  }
});

test('a request whose permit expires before it is written is not sent', async () => {
  const limiter = createRateLimiter(undefined);
  limiter.setAllocation({ perSecond: null, concurrency: null }, performance.now() + 60_000);
  const permit = await limiter.start().take();
  const fresh = createDirectConnections();
  const work = exchange(fresh, get(standIn.url, '/expired'), 60_000, undefined, () => permit.send());
  // Blocks the process while the connection is opened, until the permit has expired.
  limiter.setAllocation({ perSecond: 0, concurrency: 0 }, 0);
  assert.equal(await faultOf(work), 'not_permitted');
  permit.end();
  await exchange(fresh, get(standIn.url, '/after'), 60_000);
  assert.deepEqual(
    standIn.received.map(({ path }) => path).filter((path) => path === '/expired' || path === '/after'),
    ['/after'],
  );
  await fresh.destroy();
});
