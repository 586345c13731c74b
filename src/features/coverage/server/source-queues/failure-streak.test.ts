import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../sources/source.ts';
import { createFailureStreak } from './failure-streak.ts';

const unreachable: Outcome = { is: 'unreachable', error: 'ECONNREFUSED' };
const refused: Outcome = { is: 'auth', error: 'HTTP 401' };
const busy: Outcome = { is: 'retry', error: 'HTTP 503' };
const silent: Outcome = { is: 'retry', error: 'no answer', unanswered: true };

/** Whether a streak is full after each of several calls, each about another serial unless said. */
function fill(...calls: (Outcome | [Outcome, string])[]): boolean[] {
  const streak = createFailureStreak();
  return calls.map((call, n) => {
    const [outcome, serial] = Array.isArray(call) ? call : [call, `S${n}`];
    streak.record(outcome, serial);
    return streak.isFull;
  });
}

test('three failures in a row fill a streak, and one serial that is refused is one of them however often', () => {
  assert.deepEqual(fill(unreachable, unreachable, unreachable), [false, false, true]);
  assert.deepEqual(fill(refused, refused, refused), [false, false, true]);
  assert.deepEqual(fill(refused, [refused, 'S0'], [refused, 'S0'], refused), [false, false, false, false]);
});

test('an answer ends a streak; what only shows that the source was reached ends the half of it', () => {
  assert.ok(!fill(refused, refused, { is: 'not_found' }, refused, refused).at(-1));
  assert.ok(!fill(unreachable, unreachable, busy, unreachable, unreachable).at(-1));
  assert.ok(!fill(unreachable, unreachable, refused, unreachable, unreachable).at(-1));
  assert.ok(fill(refused, refused, busy, refused).at(-1));
  assert.ok(fill(unreachable, unreachable, silent, unreachable).at(-1));
});

test('as long as a streak lasts, one call starts at a time beside those that were in flight', () => {
  const streak = createFailureStreak();
  const endEarlier = streak.start();
  streak.record(refused, 'S0');
  assert.ok(streak.mayStart());
  const end = streak.start();
  assert.ok(!streak.mayStart());
  endEarlier();
  assert.ok(!streak.mayStart());
  end();
  assert.ok(streak.mayStart());
  streak.start();
  streak.record({ is: 'not_found' }, 'S1');
  assert.ok(streak.mayStart());
});

test('what is answered is known by its time', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: 5000 });
  const streak = createFailureStreak();
  assert.equal(streak.answeredAt, Number.NEGATIVE_INFINITY);
  streak.setAnsweredAt(4000);
  streak.record(refused, 'S0');
  assert.equal(streak.answeredAt, 4000);
  streak.record({ is: 'not_found' }, 'S1');
  streak.setAnsweredAt(4500);
  assert.equal(streak.answeredAt, 5000);
});
