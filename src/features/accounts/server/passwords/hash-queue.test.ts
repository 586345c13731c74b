import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HashQueue } from './hash-queue.ts';

const busy = { status: 429, code: 'busy', retryAfterSeconds: 5 };

test('tasks beyond those running and waiting are refused with 429', async () => {
  const queue = new HashQueue({ concurrency: 2, waiting: 1, ofAccount: 1, maxWaitMs: 60_000 });
  const held = [1, 2, 3].map(() => Promise.withResolvers<void>());
  let working = 0;
  const runs = held.map(({ promise }, index) =>
    queue.run(async () => {
      working += 1;
      await promise;
      working -= 1;
      return index;
    }),
  );
  await assert.rejects(
    queue.run(async () => assert.fail('the queue is full')),
    busy,
  );
  assert.equal(working, 2);
  held[0]?.resolve();
  assert.equal(await runs[0], 0);
  for (const { resolve } of held) resolve();
  assert.deepEqual(await Promise.all(runs), [0, 1, 2]);
  assert.equal(await queue.run(async () => 'free again'), 'free again');
});

test('a task that waits too long is refused with 429 and takes no turn', async () => {
  const queue = new HashQueue({ concurrency: 1, waiting: 5, ofAccount: 1, maxWaitMs: 20 });
  const held = Promise.withResolvers<void>();
  const first = queue.run(() => held.promise);
  await assert.rejects(
    queue.run(async () => assert.fail('its turn never came')),
    busy,
  );
  held.resolve();
  await first;
  assert.equal(await queue.run(async () => 'free again'), 'free again');
});

test('a task that fails gives its turn back', async () => {
  const queue = new HashQueue({ concurrency: 1, waiting: 0, ofAccount: 1, maxWaitMs: 60_000 });
  await assert.rejects(
    queue.run(() => Promise.reject(new Error('no'))),
    /^Error: no$/,
  );
  assert.equal(await queue.run(async () => 'free again'), 'free again');
});

test('an account with its share of tasks inside is refused with 429, and no other account', async () => {
  const queue = new HashQueue({ concurrency: 1, waiting: 9, ofAccount: 2, maxWaitMs: 60_000 });
  const held = Promise.withResolvers<void>();
  const own = [1, 2].map(() => queue.run(() => held.promise, 'ayu'));
  await assert.rejects(
    queue.run(async () => assert.fail('its share is used up'), 'ayu'),
    busy,
  );
  const others = ['budi', undefined, undefined, undefined].map((account) =>
    queue.run(async () => account, account),
  );
  held.resolve();
  await Promise.all(own);
  assert.deepEqual(await Promise.all(others), ['budi', undefined, undefined, undefined]);
  assert.equal(await queue.run(async () => 'free again', 'ayu'), 'free again');
});
