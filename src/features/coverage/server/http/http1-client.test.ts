import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { connect as connectSecurely, createServer as createSecureServer } from 'node:tls';
import fc from 'fast-check';
import { createAuthority } from '#tests/support/certificates.ts';
import type { Connections } from './client-pool.ts';
import { createCompleteClient } from './complete-client.ts';
import { exchange } from './exchange.ts';
import type { HttpClient, HttpClientOptions, HttpRequest } from './http-client.ts';
import { HttpFailure } from './http-failure.ts';
import { createHttp1Client } from './http1-client.ts';

/** What a service sends back: its bytes in pieces, with a turn between them, and whether it then closes. */
type Script = { pieces: string[]; closes: boolean };

const plain: Script = {
  pieces: ['HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nplain'],
  closes: false,
};

/** By the first part of a request's path; what is asked for otherwise is answered plainly. */
const scripts = new Map<string, Script>();
const serve = (socket: Socket) => {
  opened += 1;
  open.add(socket);
  socket.once('close', () => open.delete(socket));
  socket.setNoDelay(true).on('error', () => undefined);
  let asked = '';
  socket.on('data', (chunk) => {
    asked += chunk.toString('latin1');
    for (let end = asked.indexOf('\r\n\r\n'); end >= 0; end = asked.indexOf('\r\n\r\n')) {
      received.push(asked.slice(0, end));
      void reply(socket, scripts.get(/^GET \/(\w*)/.exec(asked)?.[1] ?? '') ?? plain);
      asked = asked.slice(end + 4);
    }
    // What is left is the long body of a request.
    if (asked.length > 100_000) asked = '';
  });
};
const authority = createAuthority('a test');
const servers = {
  'http:': createServer(serve),
  'https:': createSecureServer(authority.issue('service'), serve),
};
const origins: string[] = [];
let origin: string;
let opened = 0;
const open = new Set<Socket>();
const closing = new WeakSet<Socket>();
const received: string[] = [];

const turn = () => new Promise((resolve) => setImmediate(resolve));
let replying = 0;

async function reply(socket: Socket, { pieces, closes }: Script): Promise<void> {
  replying += 1;
  for (const [n, piece] of pieces.entries()) {
    // A turn of the event loop in which the client reads what there is, and one for what it does then.
    if (n > 0) await turn().then(turn);
    socket.write(piece, 'latin1');
  }
  if (closes) closing.add(socket.end());
  replying -= 1;
}

before(async () => {
  for (const [protocol, server] of Object.entries(servers)) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origins.push(`${protocol}//127.0.0.1:${(server.address() as AddressInfo).port}`);
  }
  origin = origins[0] ?? '';
});
after(() => {
  for (const server of Object.values(servers)) server.close();
});

const options: HttpClientOptions = {
  ...{ pipelining: 1, headersTimeout: 0, bodyTimeout: 0 },
  connect({ hostname: host, port: text, protocol }, callback) {
    const port = Number(text);
    const socket =
      protocol === 'https:'
        ? connectSecurely({ host, port, ca: authority.cert, checkServerIdentity: () => undefined })
        : connect(port, host);
    socket
      .once(protocol === 'https:' ? 'secureConnect' : 'connect', () =>
        callback(null, socket.removeAllListeners('error')),
      )
      .once('error', (error) => callback(error, null));
  },
};

const ours = (to = origin) => createHttp1Client(to, options);
const undicis = (to = origin) => createCompleteClient(to, options);

const get = (path: string): HttpRequest => ({ method: 'GET', origin, path, headers: {}, body: null });

const only = (client: HttpClient): Connections => ({
  take: () => client,
  give: () => undefined,
  close: () => client.close(),
  destroy: () => client.destroy(),
});

/** The answer to each request in turn, or the fault in place of one. */
async function askInTurn(client: HttpClient, requests: HttpRequest[]) {
  const answers = [];
  for (const request of requests) {
    const answer = await exchange(only(client), request, 5000).catch((error: unknown) => {
      assert.ok(error instanceof HttpFailure, String(error));
      return error.fault;
    });
    answers.push(answer);
    // The next request must not race with the end of the connection.
    while (replying > 0 || [...open].some((socket) => closing.has(socket))) await turn();
  }
  return answers;
}

const head = (...lines: string[]) => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');

const unusual: Record<string, Script> = {
  chunked: {
    pieces: [head('Transfer-Encoding: chunked'), '3\r\nabc\r\n', '2\r\nde\r\n0\r\n\r\n'],
    closes: false,
  },
  no_length: { pieces: [head(), 'until ', 'the end'], closes: true },
  no_length_closed: { pieces: [head('Connection: close'), 'until ', 'the end'], closes: true },
  old: { pieces: ['HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nold'], closes: true },
  hints: {
    pieces: ['HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', `${head('Content-Length: 2')}ab`],
    closes: false,
  },
  empty: { pieces: ['HTTP/1.1 204 No Content\r\n\r\n'], closes: false },
  both: { pieces: [head('Content-Length: 3', 'Transfer-Encoding: chunked'), '0\r\n\r\n'], closes: false },
  twice: { pieces: [`${head('Content-Length: 3', 'Content-Length: 3')}abc`], closes: true },
  folded: { pieces: [`${head('X-Long: a', ' b', 'Content-Length: 3')}abc`], closes: true },
  bare: { pieces: ['HTTP/1.1 200 OK\nContent-Length: 3\n\nabc'], closes: true },
  inherited: { pieces: [`${head('__proto__: a', 'Content-Length: 3')}abc`], closes: true },
  negative: { pieces: [`${head('Content-Length: -3')}abc`], closes: true },
  large: { pieces: [head('Content-Length: 3', `X-Large: ${'a'.repeat(20_000)}`), 'abc'], closes: true },
  garbage: { pieces: ['220 mail.example ESMTP\r\n\r\n'], closes: true },
};

for (const [name, script] of Object.entries(unusual)) {
  test(`an answer of another shape is read as undici reads it: ${name}`, async () => {
    scripts.set(name, script);
    const requests = [get(`/${name}`), get('/'), get(`/${name}`), get('/')];
    for (const to of origins) {
      const [own, theirs] = [ours(to), undicis(to)];
      try {
        assert.deepEqual(await askInTurn(own, requests), await askInTurn(theirs, requests), to);
      } finally {
        await Promise.all([own.destroy(), theirs.destroy()]);
      }
    }
  });
}

test('requests in turn go over one connection, and what is sent is what undici sends', async () => {
  const headers = { accept: 'application/json', 'user-agent': 'Coverdesk', 'x-key': 'a b' };
  const requests: HttpRequest[] = [
    get('/a?b=c%20d'),
    { ...get('/b'), headers },
    { ...get('/c'), method: 'POST', headers, body: '{"serial":"é"}' },
  ];
  const sent: string[][] = [];
  for (const client of [ours(), undicis()]) {
    received.length = 0;
    opened = 0;
    const answers = await askInTurn(client, requests);
    assert.deepEqual(
      answers.map((answer) => (typeof answer === 'string' ? answer : answer.body)),
      ['plain', 'plain', 'plain'],
    );
    assert.equal(opened, 1);
    sent.push([...received]);
    await client.destroy();
  }
  assert.deepEqual(sent[0], sent[1]);
});

for (const [what, request] of Object.entries({
  'a host of its own': { headers: { host: 'another.example' } },
  'a letter beyond ASCII in a header': { headers: { 'x-name': 'é' } },
  'a line break in a header': { headers: { 'x-key': 'two\nlines' } },
  'a body with GET': { body: 'a' },
  'POST without a body': { method: 'POST' },
  'a space in its path': { path: '/a b' },
})) {
  test(`a request of another shape is sent as undici sends it: ${what}`, async () => {
    const sent: unknown[] = [];
    for (const client of [ours(), undicis()]) {
      received.length = 0;
      sent.push([await askInTurn(client, [{ ...get('/'), ...request }, get('/')]), ...received]);
      await client.destroy();
    }
    assert.deepEqual(sent[0], sent[1]);
  });
}

for (const [when, pieces] of Object.entries({
  'with the answer before': (answer: string, wrong: string) => [answer + wrong],
  'right after it': (answer: string, wrong: string) => [answer, wrong],
  'right after it, in part': (answer: string, wrong: string) => [answer, wrong.slice(0, 20)],
})) {
  test(`bytes that nobody asked for are not the answer to the next request: ${when}`, async () => {
    const [answer = ''] = plain.pieces;
    scripts.set('poison', { pieces: pieces(answer, answer.replace('plain', 'wrong')), closes: false });
    const client = ours();
    opened = 0;
    const answers = await askInTurn(client, [get('/poison'), get('/')]);
    assert.deepEqual(
      answers.map((one) => typeof one !== 'string' && one.body),
      ['plain', 'plain'],
    );
    assert.equal(opened, 2);
    await client.destroy();
  });
}

test('a connection whose end arrives before a request is written is opened again for it', async () => {
  scripts.set('ends', { ...plain, closes: true });
  const client = ours();
  for (let n = 0; n < 5; n++) {
    assert.equal((await exchange(only(client), get('/ends'), 5000)).body, 'plain', `request ${n}`);
    // The end is read next, after the next request was given.
    await turn();
  }
  await client.destroy();
});

test('a connection that the service closes while nothing is asked is opened again', async () => {
  scripts.set('closes', { ...plain, closes: true });
  const client = ours();
  opened = 0;
  const answers = await askInTurn(client, [get('/closes'), get('/closes'), get('/')]);
  assert.deepEqual(
    answers.map((answer) => typeof answer !== 'string' && answer.status),
    [200, 200, 200],
  );
  assert.equal(opened, 3);
  await client.destroy();
});

test('a connection that is not used is closed before the service closes it', async () => {
  const answerFor = (seconds: number) => ({
    pieces: [`${head('Content-Length: 2', `Keep-Alive: timeout=${seconds}`)}ab`],
    closes: false,
  });
  scripts.set('short', answerFor(2)).set('longer', answerFor(3));
  let client = ours();
  opened = 0;
  await askInTurn(client, [get('/short'), get('/short')]);
  assert.equal(opened, 2);
  // A machine that stands still for a second between the two has it too old as well: then they are asked again.
  for (let took = 1000; took >= 1000; ) {
    await client.destroy();
    client = ours();
    opened = 0;
    const began = performance.now();
    await askInTurn(client, [get('/longer'), get('/longer')]);
    took = performance.now() - began;
  }
  assert.equal(opened, 1);
  // Nothing of this process runs until it is too old, as on a machine that was suspended.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1100);
  await askInTurn(client, [get('/longer')]);
  assert.equal(opened, 2);
  // A second later it goes by itself.
  while (open.size > 0) await once([...open][0] as Socket, 'close');
  await client.destroy();
});

test('a request that is answered before it is written whole ends its connection', async () => {
  const client = ours();
  opened = 0;
  const long: HttpRequest = { ...get('/long'), method: 'POST', body: 'x'.repeat(20_000_000) };
  assert.equal((await askInTurn(client, [long, get('/')])).length, 2);
  assert.equal(opened, 2);
  await client.destroy();
});

test('a client that is closed ends its request first, one that is destroyed does not', async () => {
  scripts.set('slow', { pieces: [head('Content-Length: 3'), 'a', '', '', 'bc'], closes: false });
  scripts.set('never', { pieces: [`${head('Content-Length: 3')}a`], closes: false });
  const closed = ours();
  const slow = askInTurn(closed, [get('/slow')]);
  await closed.close();
  assert.equal(((await slow)[0] as { body: string }).body, 'abc');
  const destroyed = ours();
  const never = askInTurn(destroyed, [get('/never')]);
  while (received.at(-1)?.startsWith('GET /never') !== true) await turn();
  await destroyed.destroy();
  assert.deepEqual(await never, ['interrupted']);
});

const lines = fc.constantFrom(
  ...['Content-Length: 4', 'Content-Length: 4', 'content-length:4', 'Content-Length: 0', 'Content-Length: 9'],
  ...['Content-Length: 4, 4', 'Content-Length: +4', 'Content-Length:', 'Transfer-Encoding: chunked'],
  ...['Connection: keep-alive', 'Connection: Close', 'Connection: close, x', 'Connection: upgrade'],
  ...['Keep-Alive: timeout=5', 'Keep-Alive: timeout=1, max=9', 'Keep-Alive: max=9', 'Upgrade: h2c'],
  ...[
    'Set-Cookie: a=1',
    'Set-Cookie: b=2; Path=/',
    'X-Blank:',
    'X-Tab:\tb',
    'X-Space : a',
    'X-High: \xe9\xa0',
  ],
  ...['X-End: a ', 'X-Nul: \0', 'constructor: a', '__proto__: a', ': a', 'no colon', ' folded', '\xa0a: b'],
);
const answerText = fc
  .record({
    start: fc.oneof(
      { weight: 8, arbitrary: fc.constant('HTTP/1.1 200 OK') },
      fc.constantFrom(
        ...['HTTP/1.1 404 Not Found', 'HTTP/1.1 503', 'HTTP/1.1 304 Not Modified', 'HTTP/1.1 204 None'],
        ...['HTTP/1.1 100 Continue', 'HTTP/1.0 200 OK', 'HTTP/1.1 999 Odd', 'HTTP/1.1 20 OK', 'HTTP/2 200'],
      ),
    ),
    lines: fc.array(lines, { maxLength: 5 }),
    length: fc.constantFrom([], ['Content-Length: 4'], ['Content-Length: 4'], ['Content-Length: 4']),
    body: fc.constantFrom('abcd', 'abcd', 'abcd', 'ab', '', 'abcdefgh', '4\r\nabcd\r\n0\r\n\r\n'),
    separator: fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r'),
  })
  .map((made) => [made.start, ...made.length, ...made.lines, '', made.body].join(made.separator));
const anyScript = fc
  .tuple(answerText, fc.array(fc.nat(120), { maxLength: 3 }))
  .map(([text, cuts]): Script => {
    const at = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
    return { pieces: at.slice(1).map((end, n) => text.slice(at[n], end)), closes: true };
  });

test('whatever a service answers is read as undici reads it, and so is what it answers next', async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(anyScript, fc.boolean(), async (script, isSecure) => {
      const name = `any${count++}`;
      scripts.set(name, script);
      const to = origins[isSecure ? 1 : 0];
      const [own, theirs] = [ours(to), undicis(to)];
      try {
        const requests = [get(`/${name}`), get('/')];
        assert.deepEqual(await askInTurn(own, requests), await askInTurn(theirs, requests));
      } finally {
        scripts.delete(name);
        await Promise.all([own.destroy(), theirs.destroy()]);
      }
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 120), seed: Number(process.env.FUZZ_SEED ?? 1) },
  );
});
