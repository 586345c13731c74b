import assert from 'node:assert/strict';
import { test } from 'node:test';
import { steadyNow } from './steady-clock.ts';

test('the steady clock advances with elapsed time, in whole milliseconds', (context) => {
  let passed = 1000.4;
  context.mock.method(performance, 'now', () => passed);
  const before = steadyNow();
  passed += 2500;
  assert.equal(steadyNow() - before, 2500);
  assert.ok(Number.isInteger(before));
});
