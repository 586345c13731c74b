import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { registerBodyPace } from './body-pace.ts';

let app: FastifyInstance;
before(async () => {
  app = Fastify();
  registerBodyPace(app, { minBytes: 1000, everyMs: 300 });
  app.post('/', async ({ body }) => String((body as string[]).length));
  app.post('/slow', () => new Promise((resolve) => setTimeout(() => resolve('done'), 1500)));
  await app.listen({ port: 0, host: '127.0.0.1' });
});
after(() => app.close());

function post(path: string): ClientRequest {
  const { port } = app.server.address() as AddressInfo;
  const headers = { 'content-type': 'application/json' };
  return request({ method: 'POST', host: '127.0.0.1', port, path, headers });
}

test('the connection of a slow body is closed, that of a fast body is not', async () => {
  const trickled = post('/');
  trickled.write('[1');
  const trickle = setInterval(() => trickled.write(',1'), 50);
  const [error] = (await once(trickled, 'error')) as [Error];
  assert.match(error.message, /hang up|ECONNRESET/);
  clearInterval(trickle);

  const whole = post('/');
  whole.end(`[1${',1'.repeat(100_000)}]`);
  const [response] = (await once(whole, 'response')) as [IncomingMessage];
  assert.equal(await text(response), '100001');
});

test('a slow response does not count as a slow body', async () => {
  const slow = post('/slow');
  slow.end('[1]');
  const [response] = (await once(slow, 'response')) as [IncomingMessage];
  assert.equal(await text(response), 'done');
});
