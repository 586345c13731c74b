import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import { createRateLimiter } from './rate-limiter.ts';

let now = 100_000;
before(() => void mock.method(performance, 'now', () => now));
after(() => mock.restoreAll());

test('an allocation that is not renewed in time lets nothing start, nor go out that had started', () => {
  const limiter = createRateLimiter(10);
  for (const allocation of [
    { perSecond: 10, concurrency: 5 },
    { perSecond: null, concurrency: null },
  ]) {
    limiter.setAllocation(allocation, now + 5000);
    assert.equal(limiter.waitMs(now), 0);
    const [early, late] = [limiter.start(now), limiter.start(now)];
    now += 4999;
    assert.equal(early.send(), true);
    // As after a freeze: nothing has run meanwhile that could have taken the allocation away.
    now += 20_001;
    assert.equal(limiter.waitMs(now), Number.POSITIVE_INFINITY);
    assert.equal(late.send(), false);
    for (const call of [early, late]) call.end();
    limiter.setAllocation(allocation, now + 5000);
    assert.equal(limiter.waitMs(now), 0);
  }
});

test('what had started before the allocation was taken away does not go out', () => {
  const limiter = createRateLimiter(10);
  limiter.setAllocation({ perSecond: 10, concurrency: 5 }, now + 5000);
  const connecting = limiter.start(now);
  limiter.suspend();
  assert.equal(limiter.waitMs(now), Number.POSITIVE_INFINITY);
  assert.equal(connecting.send(), false);
  connecting.end();
});
