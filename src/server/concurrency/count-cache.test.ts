import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CountCache } from './count-cache.ts';

/** Creates a cache, and lists in `counted` the numbers that were not cached. */
function startCounting() {
  const cache = new CountCache();
  const counted: number[] = [];
  const count = (number: number) =>
    cache.get([number], async () => {
      counted.push(number);
      return number * 2;
    });
  return { cache, counted, count };
}

test('concurrent calls share one count, and a failed count is not cached', async () => {
  const { cache, counted, count } = startCounting();
  assert.deepEqual(await Promise.all([count(1), count(1)]), [2, 2]);
  assert.deepEqual(counted, [1]);
  await assert.rejects(
    cache.get([2], () => Promise.reject(new Error('not now'))),
    /not now/,
  );
  assert.equal(await count(2), 4);
});

test('the least recently used count is evicted', async () => {
  const { counted, count } = startCounting();
  for (let number = 1; number <= 500; number++) await count(number);
  await count(1);
  await count(501);
  counted.length = 0;
  for (const number of [1, 501, 2]) await count(number);
  assert.deepEqual(counted, [2]);
});
