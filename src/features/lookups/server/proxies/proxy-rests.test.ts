import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restMs } from './proxy-rests.ts';

test('rests double from 30 seconds to 30 minutes, with full jitter', () => {
  const longest = [0, 1, 2, 6, 20].map((step) => restMs(step, () => 1));
  assert.deepEqual(longest, [30_000, 60_000, 120_000, 1_800_000, 1_800_000]);
  assert.equal(
    restMs(3, () => 0),
    1100,
  );
});
