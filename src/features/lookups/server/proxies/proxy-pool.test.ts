import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '#features/sources/server/configuration/source.ts';
import { createProxyPool } from './proxy-pool.ts';

const url = 'http://203.0.113.7:8080';
const now = () => performance.now();

test('a proxy that answers and then fails is not good', () => {
  const failed: string[] = [];
  const pool = createProxyPool((proxy) => failed.push(proxy.url));
  const egress = pool.createEgress({});
  pool.add(url, { good: false, restStep: 0 });
  egress.start(now()).end({ is: 'not_found' });
  egress.start(now()).end({ is: 'proxy', error: 'HTTP 407', targetUnreachable: false });
  assert.deepEqual([failed, pool.takeGood(), pool.urls.size], [[url], [], 0]);
});

test('a proxy stays unchecked, with one call at a time, after a call without a response', () => {
  const pool = createProxyPool(() => undefined);
  const egress = pool.createEgress({ per_proxy_concurrency: 4 });
  pool.add(url, { good: false, restStep: 0 });
  egress.start(now()).end({ is: 'retry', error: 'no response', unanswered: true });
  egress.start(now());
  assert.equal(egress.waitMs(now()), Number.POSITIVE_INFINITY);
  assert.deepEqual(pool.takeGood(), []);
});

test('a proxy works if the source answered, fails if the call failed because of it, and is unknown without a response', () => {
  const failures: boolean[] = [];
  const isGoodAfter = (outcome: Outcome) => {
    const pool = createProxyPool((_, targetUnreachable) => failures.push(targetUnreachable));
    const egress = pool.createEgress({});
    pool.add(url, { good: false, restStep: 0 });
    egress.start(now()).end(outcome);
    return pool.takeGood().length > 0;
  };
  const error = 'no answer';
  const answers: Outcome[] = [{ is: 'not_found' }, { is: 'retry', error: 'HTTP 503' }];
  const silences: Outcome[] = [
    { is: 'retry', error, unanswered: true },
    { is: 'unreachable', error },
  ];
  assert.deepEqual([...answers, ...silences].map(isGoodAfter), [true, true, false, false]);
  assert.deepEqual(failures, []);
  for (const targetUnreachable of [false, true]) isGoodAfter({ is: 'proxy', error, targetUnreachable });
  assert.deepEqual(failures, [false, true]);
});

test('a removed proxy is ending until its last call ends', () => {
  const pool = createProxyPool(() => undefined);
  const egress = pool.createEgress({});
  pool.add(url, { good: true, restStep: 0 });
  const call = egress.start(now());
  pool.remove(url);
  assert.equal(pool.isEnding(url), true);
  call.end({ is: 'not_found' });
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
