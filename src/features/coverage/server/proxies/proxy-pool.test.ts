import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProxyPool } from './proxy-pool.ts';

const url = 'http://203.0.113.7:8080';
const now = () => performance.now();

test('a proxy that answers and then fails is at fault, not good', () => {
  const faults: string[] = [];
  const pool = createProxyPool((proxy) => faults.push(proxy.url));
  const egress = pool.createEgress({});
  pool.add(url, { good: false, restStep: 0 });
  egress.take(now()).end('answered');
  egress.take(now()).end('faulty');
  assert.deepEqual([faults, pool.takeGood(), pool.urls.size], [[url], [], 0]);
});

test('a call without an answer does not prove a proxy: one call at a time goes on', () => {
  const pool = createProxyPool(() => undefined);
  const egress = pool.createEgress({ per_proxy_concurrency: 4 });
  pool.add(url, { good: false, restStep: 0 });
  egress.take(now()).end('unknown');
  egress.take(now());
  assert.equal(egress.waitMs(now()), Number.POSITIVE_INFINITY);
  assert.deepEqual(pool.takeGood(), []);
});

test('a removed proxy is ending until its last call is over', () => {
  const pool = createProxyPool(() => undefined);
  const egress = pool.createEgress({});
  pool.add(url, { good: true, restStep: 0 });
  const call = egress.take(now());
  pool.remove(url);
  assert.equal(pool.isEnding(url), true);
  call.end('answered');
  assert.equal(pool.isEnding(url), false);
});

test('there is no way at all only when no worker has one', () => {
  const pool = createProxyPool(() => undefined);
  const egress = pool.createEgress({});
  assert.equal(egress.isEmpty(), true);
  pool.setElsewhere(1);
  assert.equal(egress.isEmpty(), false);
});
