import assert from 'node:assert/strict';
import { before, mock, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { freeMemoryAfterStart, freeMemoryAfterWork } from './free-memory.ts';

before(() => {
  setFlagsFromString('--expose-gc');
  globalThis.gc = runInNewContext('gc');
});

test('memory that only the start needed is freed ten seconds after the start', async () => {
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

test('memory that only the work needed is freed each time when there was none for 30 seconds', async () => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  try {
    let isBusy = false;
    freeMemoryAfterWork(() => isBusy);
    const work = async () => {
      const needed = new WeakRef({ only: 'by the work' });
      isBusy = true;
      mock.timers.tick(1000);
      isBusy = false;
      await nextTurn();
      return needed;
    };
    mock.timers.tick(60_000);
    const first = await work();
    mock.timers.tick(29_000);
    assert.ok(first.deref(), 'not after a pause');
    await nextTurn();
    const second = await work();
    mock.timers.tick(29_000);
    assert.ok(first.deref(), 'the time starts again with other work');
    await nextTurn();
    mock.timers.tick(1000);
    assert.equal(first.deref(), undefined);
    assert.equal(second.deref(), undefined);
    const third = await work();
    mock.timers.tick(30_000);
    assert.equal(third.deref(), undefined);
  } finally {
    mock.timers.reset();
  }
});
