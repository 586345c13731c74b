import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
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
