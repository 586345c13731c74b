import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSlidingWindow } from './sliding-window.ts';

type Delays = { timer: number; way: number };

/**
 * Starts calls whenever the window allows it. `delays` returns the delays of timers and network.
 * @returns the arrival times of the calls at the source
 */
function run(limits: number[], durationMs: number, delays: () => Delays): number[] {
  const window = createSlidingWindow(1000);
  const arrivals: number[] = [];
  let now = 0;
  for (const limit of limits) {
    window.setLimit(limit);
    const end = now + durationMs;
    while (now < end) {
      const { timer, way } = delays();
      const wait = window.waitMs(now);
      if (wait > 0) {
        now = Math.min(end, now + wait + timer);
        continue;
      }
      window.start(now).sent(now);
      arrivals.push(now + way);
    }
  }
  return arrivals.sort((a, b) => a - b);
}

/** Returns the maximum number of arrivals in any second, except for rounding. */
function peakOf(arrivals: number[]): number {
  let first = 0;
  return arrivals.reduce((peak, arrival, index) => {
    while ((arrivals[first] ?? 0) <= arrival - 999.999) first += 1;
    return Math.max(peak, index - first + 1);
  }, 0);
}

const upTo = (max: number) => fc.double({ min: 0, max, noNaN: true });

test('the arrivals in any second never exceed the limit, with any delay of timers and network', () => {
  const late = fc.record({ timer: upTo(25), way: upTo(30) });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 200 }),
      fc.array(late, { minLength: 1, maxLength: 30 }),
      (limit, delays) => {
        let turn = 0;
        const arrivals = run([limit], 10_000, () => delays[turn++ % delays.length] as Delays);
        assert.ok(peakOf(arrivals) <= limit);
        assert.ok(arrivals.length >= limit * 10 * 0.93, `${arrivals.length} of ${limit * 10}`);
      },
    ),
  );
});

test('calls that started before a lower limit count towards it', () => {
  const arrivals = run([50, 5], 1000, () => ({ timer: 1, way: 0 }));
  assert.ok(arrivals.filter((at) => at > 900 && at < 1900).length <= 50);
  assert.ok(arrivals.filter((at) => at >= 1000).length <= 5);
});

test('no call starts with a limit of 0, and every call without a limit', () => {
  const window = createSlidingWindow(1000);
  window.setLimit(0);
  assert.equal(window.waitMs(5), Number.POSITIVE_INFINITY);
  window.setLimit(null);
  for (let n = 0; n < 5000; n++) window.start(5).sent(5);
  assert.equal(window.waitMs(5), 0);
});

test('a call counts until one window after its latest possible arrival', () => {
  const window = createSlidingWindow(1000);
  window.setLimit(2);
  const [slow, lost] = [window.start(0), window.start(500)];
  assert.equal(window.waitMs(5000), Number.POSITIVE_INFINITY);
  slow.sent(5000);
  assert.equal(window.waitMs(5010), 1020);
  slow.end();
  assert.equal(window.waitMs(5100), 930);
  lost.end();
  assert.equal(window.waitMs(5100), 0);
});
