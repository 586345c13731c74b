import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextPace, type Pace } from './pace.ts';

const full: Pace = { pace: null, full_pace: null, window_calls: 0, window_bad: 0 };

/** Decides the pace after the calls of one second. */
const decide = (before: Pace, calls: number, bad: number, current: number) =>
  nextPace(before, calls, bad, { current, answered: calls - bad });

test('the pace is halved after 20 calls of which more than half failed, down to one a second', () => {
  let pace = decide(full, 20, 11, 40);
  assert.deepEqual(pace, { pace: 20, full_pace: 40, window_calls: 0, window_bad: 0 });
  const paces = [10, 5, 2, 1, 1].map(() => {
    pace = decide(pace, 20, 20, 1);
    return pace.pace;
  });
  assert.deepEqual(paces, [10, 5, 2, 1, 1]);
  assert.equal(decide(full, 20, 10, 50).pace, null);
});

test('a reduced pace is doubled after 20 answered calls, up to the full pace', () => {
  let pace: Pace = { ...full, pace: 12, full_pace: 50 };
  const paces = [24, 48, null].map(() => {
    pace = decide(pace, 20, 3, 1);
    return pace.pace;
  });
  assert.deepEqual(paces, [24, 48, null]);
  assert.deepEqual(pace, full);
  const half = decide({ ...full, pace: 6, full_pace: 50 }, 20, 10, 1);
  assert.deepEqual(half, { ...full, pace: 6, full_pace: 50 });
});

test('calls of several workers add up to one window', () => {
  let pace: Pace = { ...full, pace: 8, full_pace: 50 };
  pace = decide(pace, 9, 9, 1);
  assert.deepEqual(pace, { pace: 8, full_pace: 50, window_calls: 9, window_bad: 9 });
  assert.equal(decide(pace, 11, 2, 1).pace, 4);
});
