import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '#features/sources/server/configuration/source.ts';
import { createProxyPool, restMs } from './proxy-pool.ts';

const url = 'http://203.0.113.7:8080';
const now = () => performance.now();

test('a proxy that answers and then fails is not good', () => {
  const failed: string[] = [];
  const pool = createProxyPool((proxy) => failed.push(proxy.url));
  const egress = pool.createEgress({});
  pool.add(url, { good: false, restStep: 0 });
  egress.start(now()).end({ is: 'not_found' });
  egress.start(now()).end({ is: 'proxy', error: 'HTTP 407', targetUnreachable: false });
  const states = pool.listOutcomes().map(({ state }) => state);
  assert.deepEqual([failed, states, pool.proxies.size], [[url], ['resting'], 0]);
});

test('a proxy stays unchecked, with one call at a time, after a call without a response', () => {
  const pool = createProxyPool(() => undefined);
  const egress = pool.createEgress({ per_proxy_concurrency: 4 });
  pool.add(url, { good: false, restStep: 0 });
  egress.start(now()).end({ is: 'retry', error: 'no response', unanswered: true });
  egress.start(now());
  assert.equal(egress.waitMs(now()), Number.POSITIVE_INFINITY);
  assert.deepEqual(pool.listOutcomes(), []);
});

test('a proxy works if the source answered, fails if the call failed because of it, and is unknown without a response', () => {
  const outcomeAfter = (outcome: Outcome) => {
    const pool = createProxyPool(() => undefined);
    const egress = pool.createEgress({});
    pool.add(url, { good: false, restStep: 0 });
    egress.start(now()).end(outcome);
    return pool.listOutcomes().map(({ state, targetUnreachable }) => [state, targetUnreachable]);
  };
  const error = 'no answer';
  const answers: Outcome[] = [{ is: 'not_found' }, { is: 'retry', error: 'HTTP 503' }];
  for (const answer of answers) assert.deepEqual(outcomeAfter(answer), [['good', false]]);
  const silences: Outcome[] = [
    { is: 'retry', error, unanswered: true },
    { is: 'unreachable', error },
  ];
  for (const silence of silences) assert.deepEqual(outcomeAfter(silence), []);
  for (const targetUnreachable of [false, true])
    assert.deepEqual(outcomeAfter({ is: 'proxy', error, targetUnreachable }), [
      ['resting', targetUnreachable],
    ]);
});

test('the egress is empty only when no worker has a proxy', () => {
  const pool = createProxyPool(() => undefined);
  const egress = pool.createEgress({});
  assert.equal(egress.isEmpty(), true);
  pool.setLeasableElsewhere(1);
  assert.equal(egress.isEmpty(), false);
});

test('rests double from 30 seconds to 30 minutes, with full jitter', () => {
  const longest = [0, 1, 2, 6, 20].map((step) => restMs(step, () => 1));
  assert.deepEqual(longest, [30_000, 60_000, 120_000, 1_800_000, 1_800_000]);
  assert.equal(
    restMs(3, () => 0),
    1100,
  );
});
