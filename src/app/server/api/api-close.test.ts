import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { drainApi, lingerMs } from '#server/http/drain.ts';
import { createTestApi } from '#tests/support/api/api.ts';
import { waitFor } from '#tests/support/wait.ts';

/** Starts an API without connection timeouts, so that an open connection would block its close for ever. */
async function listen() {
  const api = await createTestApi();
  let asked = 0;
  let asking: PromiseWithResolvers<void> | undefined;
  api.app.get('/held', async () => {
    asked += 1;
    asking = Promise.withResolvers();
    await asking.promise;
    return 'answered';
  });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { server } = api.app;
  Object.assign(server, { headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0 });
  return {
    api,
    port: (server.address() as AddressInfo).port,
    asked: () => asked,
    answer: () => asking?.resolve(),
  };
}

test('the API closes at once although a browser keeps an unused connection open', {
  timeout: 60_000,
}, async () => {
  const { api, port } = await listen();
  const accepted = once(api.app.server, 'connection');
  const spare = connect(port, '127.0.0.1').resume();
  await accepted;
  const left = once(spare, 'close');
  await api.close();
  await left;
});

test('the API answers requests that arrived before its close, and then closes their connections', {
  timeout: 60_000,
}, async () => {
  const { api, port, asked, answer } = await listen();
  const agent = new Agent({ keepAlive: true });
  const request = get({ host: '127.0.0.1', port, path: '/held', agent });
  const response = once(request, 'response') as Promise<[IncomingMessage]>;
  await waitFor('the question', async () => asked() === 1);
  const closed = api.close();
  await waitFor('the close', async () => !api.app.server.listening);
  answer();
  const [answered] = await response;
  assert.deepEqual([answered.statusCode, await text(answered)], [200, 'answered']);
  await closed;
  agent.destroy();
});

test('a draining API is not ready, but listens, and then answers on the connections that it has', {
  timeout: 60_000,
}, async () => {
  const { api, port } = await listen();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (path: string) => {
    const request = get({ host: '127.0.0.1', port, path, agent });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    await text(answer);
    return [answer.statusCode, answer.headers.connection];
  };
  assert.deepEqual(await ask('/api/health/ready'), [200, 'keep-alive']);
  const drained = drainApi(api.app);
  assert.deepEqual(await ask('/api/health/ready'), [503, 'keep-alive']);
  await waitFor('the end of listening', async () => !api.app.server.listening);
  assert.deepEqual(await ask('/api/health/live'), [200, 'close']);
  await drained;
  await assert.rejects(ask('/api/health/live'), { code: 'ECONNREFUSED' });
  agent.destroy();
  await api.close();
});

test('a draining API answers on every connection that waits to be accepted when it stops listening', {
  timeout: 60_000,
}, async () => {
  const { api, port } = await listen();
  const sockets: Socket[] = [];
  // The timer before the drain's own: the connections wait when its last rounds of the event loop begin.
  setTimeout(() => {
    for (let count = 0; count < 100; count++) sockets.push(connect(port, '127.0.0.1'));
  }, lingerMs);
  const drained = drainApi(api.app);
  await waitFor('the end of listening', async () => !api.app.server.listening);
  const answers = sockets.map(async (socket) => {
    socket.write('GET /api/health/live HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
    return (await text(socket).catch(String)).slice(0, 15);
  });
  assert.deepEqual(new Set(await Promise.all(answers)), new Set(['HTTP/1.1 200 OK']));
  await drained;
  await api.close();
});

test('a draining API answers once more on the connection of a request that took longer than the drain', {
  timeout: 60_000,
}, async () => {
  const { api, port, asked, answer } = await listen();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const request = get({ host: '127.0.0.1', port, path: '/held', agent });
  const response = once(request, 'response') as Promise<[IncomingMessage]>;
  await waitFor('the question', async () => asked() === 1);
  const drained = drainApi(api.app);
  await waitFor('the end of listening', async () => !api.app.server.listening);
  await delay(1100); // longer than connections are kept that nobody uses
  answer();
  const [held] = await response;
  assert.deepEqual([await text(held), held.headers.connection], ['answered', 'keep-alive']);
  const next = get({ host: '127.0.0.1', port, path: '/api/health/live', agent });
  const [last] = (await once(next, 'response')) as [IncomingMessage];
  await text(last);
  assert.deepEqual([last.statusCode, last.headers.connection], [200, 'close']);
  await drained;
  agent.destroy();
  await api.close();
});

test('a request is answered that arrives on a connection accepted before the close', {
  timeout: 60_000,
}, async () => {
  const { api, port } = await listen();
  const accepted = once(api.app.server, 'connection');
  const socket = connect(port, '127.0.0.1');
  await accepted;
  const closed = api.close();
  socket.write('GET /api/health/live HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
  assert.match(await text(socket), /^HTTP\/1\.1 200 OK/);
  await closed;
});
