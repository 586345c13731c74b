import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findTicks } from './chart-ticks.ts';

test('ticks are round, whole, few, and hold the highest value', () => {
  assert.deepEqual(findTicks(0), [0, 1]);
  assert.deepEqual(findTicks(3), [0, 1, 2, 3]);
  assert.deepEqual(findTicks(425), [0, 200, 400, 600]);
  assert.deepEqual(findTicks(1218), [0, 500, 1000, 1500]);
  for (const most of [1, 7, 99, 100, 12_345, 1_000_000]) {
    const ticks = findTicks(most);
    assert.ok(ticks.length <= 5 && (ticks.at(-1) ?? 0) >= most, `${most}: ${ticks}`);
  }
});
