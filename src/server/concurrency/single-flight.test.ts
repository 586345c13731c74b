import assert from 'node:assert/strict';
import { test } from 'node:test';
import { singleFlight } from './single-flight.ts';

/** Creates work that the test ends. */
function makeWork() {
  const runs: { argument: string; more: number; end: PromiseWithResolvers<string> }[] = [];
  const fly = singleFlight((argument: string, more: number) => {
    const end = Promise.withResolvers<string>();
    runs.push({ argument, more, end });
    return end.promise;
  });
  return { runs, fly };
}

test('concurrent calls with one argument share a result', async () => {
  const { runs, fly } = makeWork();
  const calls = [fly('a', 1), fly('a', 2), fly('b', 3)];
  assert.deepEqual(
    runs.map(({ argument, more }) => [argument, more]),
    [
      ['a', 1],
      ['b', 3],
    ],
  );
  runs[0]?.end.resolve('of a');
  runs[1]?.end.resolve('of b');
  assert.deepEqual(await Promise.all(calls), ['of a', 'of a', 'of b']);
});

test('a later call runs the work again, also after a failure', async () => {
  const { runs, fly } = makeWork();
  const failed = [fly('a', 1), fly('a', 2)];
  runs[0]?.end.reject(new Error('no token'));
  for (const { status } of await Promise.allSettled(failed)) assert.equal(status, 'rejected');
  const again = fly('a', 3);
  assert.equal(runs.length, 2);
  runs[1]?.end.resolve('a token');
  assert.equal(await again, 'a token');
});
