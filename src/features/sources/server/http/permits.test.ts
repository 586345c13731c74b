import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdPermit, type Permit } from './permits.ts';

test('a permit that is held in advance is the one that its requests get, and ends once it is given up', async () => {
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

test('without limits no permit is taken in advance', async () => {
  const held = await holdPermit(undefined);
  assert.equal(held.permits, undefined);
  held.end();
});
