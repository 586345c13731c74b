import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWakeup } from './wakeup.ts';

/** Resolves when all triggered work is done. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('several signals trigger the work once, in the same turn of the event loop', async () => {
  const wakeup = createWakeup();
  let count = 0;
  wakeup.wake();
  await settle();
  wakeup.listen(() => {
    count += 1;
  });
  for (let n = 0; n < 3; n++) wakeup.wake();
  assert.equal(count, 0);
  await Promise.resolve();
  assert.equal(count, 1);
  wakeup.wake();
  await settle();
  assert.equal(count, 2);
});

test('a signal during the work triggers the work once more', async () => {
  const wakeup = createWakeup();
  let count = 0;
  wakeup.listen(() => {
    count += 1;
    if (count === 1) wakeup.wake();
  });
  wakeup.wake();
  await settle();
  assert.equal(count, 2);
});
