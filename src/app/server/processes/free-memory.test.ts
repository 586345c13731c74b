import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { freeMemoryAfterStart } from './free-memory.ts';

test('ten seconds after a start what only the start needed is collected', async () => {
  setFlagsFromString('--expose-gc');
  globalThis.gc = runInNewContext('gc');
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const needed = new WeakRef({ only: 'at the start' });
    freeMemoryAfterStart();
    // Whatever was looked at is kept until the end of its turn.
    await turn();
    mock.timers.tick(10_000);
    assert.equal(needed.deref(), undefined);
  } finally {
    mock.timers.reset();
  }
});
