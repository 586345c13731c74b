import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { freeMemoryAfterStart } from './free-memory.ts';

test('memory that only the start needed is freed ten seconds after the start', async () => {
  setFlagsFromString('--expose-gc');
  globalThis.gc = runInNewContext('gc');
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const needed = new WeakRef({ only: 'at the start' });
    freeMemoryAfterStart();
    // A WeakRef keeps its target until the end of the turn that created it.
    await nextTurn();
    mock.timers.tick(10_000);
    assert.equal(needed.deref(), undefined);
  } finally {
    mock.timers.reset();
  }
});
