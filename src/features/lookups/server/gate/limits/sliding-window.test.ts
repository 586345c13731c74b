import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSlidingWindow } from './sliding-window.ts';

type Delays = { timer: number; way: number; answer: number };

/**
 * Starts calls whenever the window allows it. `delays` returns the delays of timers, network and responses.
 * @returns the arrival times of the calls at the source
 */
function run(limits: number[], durationMs: number, delays: () => Delays): number[] {
  const window = createSlidingWindow(1000);
  const arrivals: number[] = [];
  let ends: { at: number; end(now: number): void }[] = [];
  let now = 0;
  const endThose = () => {
    for (const call of ends.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at)) call.end(call.at);
    ends = ends.filter(({ at }) => at > now);
  };
  for (const limit of limits) {
    window.setLimit(limit);
    const end = now + durationMs;
    while (now < end) {
      endThose();
      const { timer, way, answer } = delays();
      const wait = window.waitMs(now);
      if (wait > 0) {
        now = Math.min(end, now + wait + timer);
        continue;
      }
      const call = window.start(now);
      call.sent(now);
      arrivals.push(now + way);
      ends.push({ at: now + way + answer, end: call.end });
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

test('the arrivals in any second never exceed the limit, with any delay of timers, network and responses', () => {
  const late = fc.record({ timer: upTo(25), way: upTo(30), answer: upTo(300) });
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

test('fast responses allow more use of the limit', () => {
  const arrivals = run([50], 20_000, () => ({ timer: 1, way: 1, answer: 5 }));
  assert.ok(arrivals.length >= 50 * 20 * 0.985, `${arrivals.length} of 1000`);
});

test('calls that started before a lower limit count towards it', () => {
  const arrivals = run([50, 5], 1000, () => ({ timer: 1, way: 0, answer: 0 }));
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
  slow.end(5020);
  assert.equal(window.waitMs(5100), 920);
  lost.end(5100);
  assert.equal(window.waitMs(5100), 0);
});
