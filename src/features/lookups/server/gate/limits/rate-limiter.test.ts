import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import type { Permit } from '#features/sources/server/http/permits.ts';
import { suspendedMs } from '#server/runtime/suspended-ms.ts';
import { createRateLimiter } from './rate-limiter.ts';

let now = 100_000;
/** For how long the machine was suspended, while the monotonic clock stood still. */
let slept = 0;
before(() => {
  mock.method(performance, 'now', () => now);
  mock.method(Date, 'now', () => now + slept);
});
after(() => mock.restoreAll());

test('an expired allocation prevents new calls and unsent requests', () => {
  const limiter = createRateLimiter(10);
  for (const allocation of [
    { perSecond: 10, concurrency: 5 },
    { perSecond: null, concurrency: null },
  ]) {
    limiter.setAllocation(allocation, now + 5000);
    assert.equal(limiter.waitMs(now), 0);
    const early = limiter.start().take() as Permit;
    now += 100;
    const late = limiter.start().take() as Permit;
    now += 4899;
    assert.equal(early.send(), true);
    // As after a freeze, in which no code could remove the allocation.
    now += 20_001;
    assert.equal(limiter.waitMs(now), Number.POSITIVE_INFINITY);
    assert.equal(late.send(), false);
    for (const call of [early, late]) call.end();
    limiter.setAllocation(allocation, now + 5000);
    assert.equal(limiter.waitMs(now), 0);
  }
});

test('a call that started before its allocation was removed is not sent', () => {
  const limiter = createRateLimiter(10);
  limiter.setAllocation({ perSecond: 10, concurrency: 5 }, now + 5000);
  const connecting = limiter.start().take() as Permit;
  limiter.setAllocation({ perSecond: 0, concurrency: 0 }, 0);
  assert.equal(limiter.waitMs(now), Number.POSITIVE_INFINITY);
  assert.equal(connecting.send(), false);
  connecting.end();
});

test('every request of a call counts, and a call that waits for something else does not block others', async () => {
  const limiter = createRateLimiter(2);
  limiter.setAllocation({ perSecond: 2, concurrency: null }, now + 60_000);
  const [waiting, asking] = [limiter.start(), limiter.start()];
  // Both calls have reserved their first permit.
  assert.ok(limiter.waitMs(now) > 0);
  const spend = (permit: Permit) => {
    assert.equal(permit.send(), true);
    permit.end();
  };
  spend(asking.take() as Permit);
  now += 500;
  spend(asking.take() as Permit);
  assert.ok(limiter.waitMs(now) >= 500);
  const third = asking.take();
  assert.ok(third instanceof Promise, 'the limit is used up');
  const fourth = waiting.take();
  assert.ok(fourth instanceof Promise);
  for (const permit of [third, fourth]) {
    now += 530;
    limiter.setAllocation({ perSecond: 2, concurrency: null }, now + 60_000);
    spend(await permit);
  }
  for (const call of [waiting, asking]) call.end();
  assert.equal(limiter.inFlight, 0);
  assert.ok(limiter.waitMs(now) >= 500);
});

test('all requests count towards the concurrency, also those outside of calls', async () => {
  const limiter = createRateLimiter(undefined);
  limiter.setAllocation({ perSecond: null, concurrency: 2 }, now + 60_000);
  const over = limiter.start();
  (over.take() as Permit).end();
  over.end();
  // As when a call triggers the rebuild of an outdated index.
  const beside = over.take() as Permit;
  assert.equal(limiter.inFlight, 1);
  const call = limiter.start();
  assert.equal(limiter.waitMs(now), Number.POSITIVE_INFINITY);
  const own = call.take() as Permit;
  let isGiven = false;
  void Promise.resolve(call.take()).then(() => {
    isGiven = true;
  });
  await immediate();
  assert.equal(isGiven, false);
  beside.end();
  await immediate();
  assert.equal(isGiven, true);
  own.end();
  call.end();
});

test('a request is refused if this worker has no allocation for a while', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const limiter = createRateLimiter(2);
  const pass = (ms: number) => {
    now += ms;
    t.mock.timers.tick(ms);
  };
  const call = limiter.start();
  const given = call.take();
  pass(500);
  limiter.setAllocation({ perSecond: 1, concurrency: null }, now + 60_000);
  const permit = await given;
  assert.equal(permit.send(), true);
  permit.end();
  limiter.setAllocation({ perSecond: 0, concurrency: 0 }, 0);
  const refused = assert.rejects(Promise.resolve(call.take()), { fault: 'not_permitted' });
  for (let waited = 0; waited <= 5000; waited += 500) pass(500);
  await refused;
  const ending = new AbortController();
  const aborted = assert.rejects(Promise.resolve(call.take(ending.signal)), { fault: 'aborted' });
  ending.abort();
  await aborted;
});

test('the wait for an allocation begins anew after a waiting request was aborted', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const limiter = createRateLimiter(undefined);
  const call = limiter.start();
  const ending = new AbortController();
  const aborted = assert.rejects(Promise.resolve(call.take(ending.signal)), { fault: 'aborted' });
  ending.abort();
  await aborted;
  limiter.setAllocation({ perSecond: null, concurrency: null }, now + 60_000);
  now += 6000;
  limiter.setAllocation({ perSecond: 0, concurrency: 0 }, 0);
  const waiting = call.take();
  limiter.setAllocation({ perSecond: null, concurrency: null }, now + 60_000);
  assert.equal((await waiting).send(), true);
});

test('permits expire while the machine is suspended', () => {
  const limiter = createRateLimiter(10);
  const allocate = () =>
    limiter.setAllocation({ perSecond: 10, concurrency: null }, now + suspendedMs() + 5000);
  allocate();
  const permit = limiter.start().take() as Permit;
  now += 100;
  assert.equal(limiter.isAllocated(now), true);
  slept += 60_000;
  assert.equal(limiter.isAllocated(now), false);
  assert.equal(limiter.waitMs(now), Number.POSITIVE_INFINITY);
  assert.equal(permit.send(), false);
  allocate();
  assert.equal(limiter.isAllocated(now), true);
});
