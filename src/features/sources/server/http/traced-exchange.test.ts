import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Exchange } from '#features/sources/sources.contract.ts';
import { type StandIn, startStandIn } from '#tests/support/sources/vendor-stand-in.ts';
import { type Connections, createDirectConnections } from './connections.ts';
import { tracedExchange } from './traced-exchange.ts';

let standIn: StandIn;
let connections: Connections;
before(async () => {
  connections = createDirectConnections();
  standIn = await startStandIn(({ path }) =>
    path === '/hang-up'
      ? 'hang up'
      : { status: 200, headers: { 'x-key': 'secret' }, body: { key: 'secret' } },
  );
});
after(async () => {
  await connections.destroy();
  await standIn.close();
});

/** Sends one request. @returns its trace, and the elapsed milliseconds */
async function trace(path: string, body: string | null) {
  const shown: Exchange[] = [];
  const began = performance.now();
  const request = {
    method: body === null ? 'GET' : 'POST',
    origin: standIn.url,
    path,
    headers: { 'x-key': 'secret' },
    body,
  };
  const result = await tracedExchange(connections, request, {
    timeoutMs: 60_000,
    permits: undefined,
    trace: (exchange) => shown.push(exchange),
    mask: (text) => text.replaceAll('secret', '***'),
  }).catch((error: unknown) => error);
  const [exchange, ...more] = shown;
  assert.ok(exchange && more.length === 0);
  return { exchange, result, passed: performance.now() - began };
}

test('a traced exchange has request, response and duration without secrets', async () => {
  const { exchange, result, passed } = await trace('/a?key=secret', 'key=secret');
  assert.deepEqual(exchange.request, {
    method: 'POST',
    url: `${standIn.url}/a?key=***`,
    headers: { 'x-key': '***' },
    body: 'key=***',
  });
  const { status, headers, body } = exchange.answer ?? {};
  assert.deepEqual([status, headers?.['x-key'], body], [200, '***', '{"key":"***"}']);
  assert.equal(exchange.error, null);
  assert.ok(exchange.ms > 0 && exchange.ms <= passed + 0.1, `${exchange.ms} of ${passed} ms`);
  assert.equal((result as { body: string }).body, '{"key":"secret"}');
});

test('a failed traced exchange has the request and the error', async () => {
  const { exchange, result } = await trace('/hang-up', null);
  assert.equal(exchange.request.body, null);
  assert.equal(exchange.answer, null);
  assert.ok(result instanceof Error);
  assert.equal(exchange.error, result.message);
});
