import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProxyPool } from './proxy-pool.ts';

const url = 'http://203.0.113.7:8080';
const now = () => performance.now();

test('a proxy that answers and then fails is not good', () => {
  const failed: string[] = [];
  const pool = createProxyPool((proxy) => failed.push(proxy.url));
  const egress = pool.createEgress({});
  pool.add(url, { good: false, restStep: 0 });
  egress.start(now()).end('answered');
  egress.start(now()).end('faulty');
  assert.deepEqual([failed, pool.takeGood(), pool.urls.size], [[url], [], 0]);
});

test('a proxy stays unchecked, with one call at a time, after a call without a response', () => {
  const pool = createProxyPool(() => undefined);
  const egress = pool.createEgress({ per_proxy_concurrency: 4 });
  pool.add(url, { good: false, restStep: 0 });
  egress.start(now()).end('unknown');
  egress.start(now());
  assert.equal(egress.waitMs(now()), Number.POSITIVE_INFINITY);
  assert.deepEqual(pool.takeGood(), []);
});

test('a removed proxy is ending until its last call ends', () => {
  const pool = createProxyPool(() => undefined);
  const egress = pool.createEgress({});
  pool.add(url, { good: true, restStep: 0 });
  const call = egress.start(now());
  pool.remove(url);
  assert.equal(pool.isEnding(url), true);
  call.end('answered');
  assert.equal(pool.isEnding(url), false);
});

test('the egress is empty only when no worker has a proxy', () => {
  const pool = createProxyPool(() => undefined);
  const egress = pool.createEgress({});
  assert.equal(egress.isEmpty(), true);
  pool.setAvailableElsewhere(1);
  assert.equal(egress.isEmpty(), false);
});

test('a pool returns the same set of addresses each time', () => {
  const pool = createProxyPool(() => undefined);
  const { urls } = pool;
  pool.add('http://10.0.0.1:8080', { good: true, restStep: 0 });
  pool.add('http://10.0.0.2:8080', { good: true, restStep: 0 });
  pool.remove('http://10.0.0.1:8080');
  assert.deepEqual([...urls], ['http://10.0.0.2:8080']);
  assert.equal(pool.urls, urls);
});
