import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { registerStalledReaders } from './stalled-readers.ts';

/** Longer than a busy machine keeps a process waiting. */
const deadlineMs = 2_000;
/** More than the buffers of a connection hold. */
const long = 'x'.repeat(30_000_000);

let app: FastifyInstance;
let closed: string[];
before(async () => {
  app = Fastify();
  registerStalledReaders(app, deadlineMs);
  app.addHook('onRequest', async ({ url }, { raw }) => {
    raw.once('close', () => {
      if (!raw.writableFinished) closed.push(url);
    });
  });
  app.get('/list', async () => long);
  app.get('/file', (_, reply) => reply.send(Readable.from([long])));
  app.get('/late', async () => {
    await delay(1.5 * deadlineMs);
    return 'late';
  });
  app.get('/pauses', (_, reply) => {
    async function* parts() {
      yield 'one';
      await delay(1.5 * deadlineMs);
      yield 'two';
    }
    return reply.send(Readable.from(parts()));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
after(() => app.close());

/** Asks for a path on a connection of its own, whose answer is not read yet. */
function ask(path: string): Socket {
  closed = [];
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').pause();
  socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
  return socket;
}

async function readAll(socket: Socket, pauseMs = 0): Promise<number> {
  let bytes = 0;
  socket.on('data', (part: Buffer) => {
    bytes += part.length;
    if (pauseMs === 0) return;
    socket.pause();
    setTimeout(() => socket.resume(), pauseMs);
  });
  await once(socket.resume(), 'close');
  return bytes;
}

for (const path of ['/list', '/file']) {
  test(`the connection of an answer that nobody reads is closed: ${path}`, { timeout: 60_000 }, async () => {
    const socket = ask(path);
    socket.on('error', () => undefined);
    while (closed.length === 0) await delay(20);
    assert.deepEqual(closed, [path]);
    socket.destroy();
  });
}

test('a slow reader gets the whole answer, even if it takes longer than the deadline', async () => {
  const began = performance.now();
  assert.ok((await readAll(ask('/list'), 10)) > long.length);
  assert.ok(performance.now() - began > deadlineMs);
});

test('an answer that the server has not written yet does not count as unread', async () => {
  assert.ok((await readAll(ask('/late'))) > 0);
  assert.ok((await readAll(ask('/pauses'))) > 0);
  assert.deepEqual(closed, []);
});
