import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createCallCounter } from './call-counts.ts';

test('counts tell how long they were counted, also after a time without calls and after they were put back', (t) => {
  let now = 1000;
  mock.method(performance, 'now', () => now);
  t.after(() => mock.restoreAll());
  const counter = createCallCounter();
  const takeAfter = (ms: number, calls: number) => {
    now += ms;
    for (let n = 0; n < calls; n++) counter.record('found', 1, null);
    return counter.take();
  };
  assert.equal(takeAfter(5000, 0), null);
  const counts = takeAfter(2000, 3);
  assert.ok(counts);
  assert.deepEqual([counts.calls, counts.ms], [3, 2000]);
  counter.putBack(counts);
  const all = takeAfter(1000, 4);
  assert.deepEqual([all?.calls, all?.ms], [7, 3000]);
});
