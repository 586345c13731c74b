import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdPermit, type Permit } from './permits.ts';

test('a request gets the permit that was taken in advance, and the permit ends with `end`', async () => {
  let taken = 0;
  let ended = 0;
  const permit: Permit = {
    send: () => true,
    end: () => {
      ended += 1;
    },
  };
  const held = await holdPermit({
    take: async () => {
      taken += 1;
      return permit;
    },
  });
  assert.equal(await held.permits?.take(), permit);
  assert.equal(await held.permits?.take(), permit);
  assert.deepEqual([taken, ended], [1, 0]);
  held.end();
  assert.equal(ended, 1);
});

test('no permit is taken in advance without limits', async () => {
  const held = await holdPermit(undefined);
  assert.equal(held.permits, undefined);
  held.end();
});
