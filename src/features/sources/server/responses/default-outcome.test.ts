import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultOutcome } from './default-outcome.ts';

test('a response that no rule matches has the outcome of its status', () => {
  const outcomes: [number, object][] = [
    [204, { is: 'retry', error: 'HTTP 204, not the expected JSON', retryAfterMs: 7000 }],
    [299, { is: 'retry', error: 'HTTP 299, not the expected JSON', retryAfterMs: 7000 }],
    [300, { is: 'retry', error: 'HTTP 300, a redirect', retryAfterMs: 7000 }],
    [399, { is: 'retry', error: 'HTTP 399, a redirect', retryAfterMs: 7000 }],
    [400, { is: 'invalid', error: 'HTTP 400' }],
    [401, { is: 'auth', error: 'HTTP 401' }],
    [402, { is: 'quota', error: 'HTTP 402' }],
    [403, { is: 'auth', error: 'HTTP 403' }],
    [404, { is: 'not_found' }],
    [408, { is: 'throttled', error: 'HTTP 408', retryAfterMs: 7000 }],
    [425, { is: 'throttled', error: 'HTTP 425', retryAfterMs: 7000 }],
    [429, { is: 'throttled', error: 'HTTP 429', retryAfterMs: 7000 }],
    [499, { is: 'invalid', error: 'HTTP 499' }],
    [500, { is: 'retry', error: 'HTTP 500', retryAfterMs: 7000 }],
    [503, { is: 'retry', error: 'HTTP 503', retryAfterMs: 7000 }],
  ];
  for (const [status, outcome] of outcomes)
    assert.deepEqual(defaultOutcome(status, { 'retry-after': '7' }, 0), outcome, String(status));
});

test('without Retry-After a failed attempt is repeated by backoff', () => {
  assert.deepEqual(defaultOutcome(503, {}, 0), { is: 'retry', error: 'HTTP 503' });
});
