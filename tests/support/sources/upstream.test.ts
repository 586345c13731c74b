import assert from 'node:assert/strict';
import { test } from 'node:test';
import { peakPerSecond, startUpstream } from './upstream.ts';

test('calls count as of one second where they surely arrived within it', () => {
  const starts = [0, 500, 1499, 1499];
  assert.equal(peakPerSecond(starts), 3);
  assert.equal(peakPerSecond(starts, [0, 498, 1497, 1497]), 2);
  assert.equal(peakPerSecond(starts, [0, 499.5, 1000, 1000]), 3);
});

test('the upstream tells for each call since when it can have arrived', async (t) => {
  const upstream = await startUpstream();
  t.after(() => upstream.close());
  let earliest: number[] = [];
  // Until its time has gone on.
  while (earliest.length < 20 || earliest[0] === earliest.at(-1)) {
    await (await fetch(`${upstream.url}/S${earliest.length}`)).text();
    const { starts, ...report } = await upstream.report();
    ({ earliest } = report);
    assert.equal(earliest.length, starts.length);
    assert.ok(starts.every((start, n) => (earliest[n] ?? Number.NaN) <= start));
  }
  assert.deepEqual(
    earliest,
    earliest.toSorted((a, b) => a - b),
  );
});
