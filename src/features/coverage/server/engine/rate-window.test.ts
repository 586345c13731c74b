import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRateWindow } from './rate-window.ts';

/** Starts as often as the window lets it, by a clock that is late by `lateness()` at every turn. */
function run(limits: (number | null)[], durationMs: number, lateness: () => number): number[] {
  const window = createRateWindow(1000);
  const starts: number[] = [];
  let now = 0;
  for (const limit of limits) {
    window.setLimit(limit);
    const end = now + durationMs;
    while (now < end) {
      const wait = window.waitMs(now);
      if (wait === 0) {
        window.start(now);
        window.sent(now);
        starts.push(now);
      } else {
        now = Math.min(end, now + wait + lateness());
      }
    }
  }
  return starts;
}

/** The most starts in any window of a second (but for rounding) that ends with a start. */
function peakOf(starts: number[]): number {
  let first = 0;
  return starts.reduce((peak, start, index) => {
    while ((starts[first] ?? 0) <= start - 999.999) first += 1;
    return Math.max(peak, index - first + 1);
  }, 0);
}

test('never exceeds its limit, however late its timers are, and loses little by that', () => {
  const lateness = fc.array(fc.double({ min: 0, max: 25, noNaN: true }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), lateness, (limit, late) => {
      let turn = 0;
      const starts = run([limit], 10_000, () => late[turn++ % late.length] ?? 0);
      assert.ok(peakOf(starts) <= limit);
      assert.ok(starts.length >= limit * 10 * 0.97, `${starts.length} of ${limit * 10}`);
    }),
  );
});

test('a lower limit counts what was started before it', () => {
  const starts = run([50, 5], 1000, () => 1);
  assert.ok(starts.filter((start) => start > 900 && start < 1900).length <= 50);
  assert.ok(starts.filter((start) => start >= 1000).length <= 5);
});

test('a limit of nothing lets nothing start, and no limit everything', () => {
  const window = createRateWindow(1000);
  window.setLimit(0);
  assert.equal(window.waitMs(5), Number.POSITIVE_INFINITY);
  window.setLimit(null);
  for (let n = 0; n < 5000; n++) {
    window.start(5);
    window.sent(5);
  }
  assert.equal(window.waitMs(5), 0);
});

test('a call counts until a window after it was sent, however long that took', () => {
  const window = createRateWindow(1000);
  window.setLimit(2);
  window.start(0);
  window.start(500);
  assert.equal(window.waitMs(5000), Number.POSITIVE_INFINITY);
  window.sent(5000);
  assert.equal(window.waitMs(5100), 900);
  window.unsent();
  assert.equal(window.waitMs(5100), 0);
});
