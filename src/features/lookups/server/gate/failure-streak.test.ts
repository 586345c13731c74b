import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '#features/sources/server/configuration/source.ts';
import { createFailureStreak, type FailureStreak } from './failure-streak.ts';

const unreachable: Outcome = { is: 'unreachable', error: 'ECONNREFUSED' };
const refused: Outcome = { is: 'auth', error: 'HTTP 401' };
const busy: Outcome = { is: 'retry', error: 'HTTP 503' };
const silent: Outcome = { is: 'retry', error: 'no answer', unanswered: true };

function end(call: ReturnType<FailureStreak['start']>, outcome: Outcome, serial = 'S0'): void {
  call.end();
  call.record(outcome, serial);
}

/** Returns whether a streak is full after each of several calls, about different serials by default. */
function fill(...calls: (Outcome | [Outcome, string])[]): boolean[] {
  const streak = createFailureStreak();
  return calls.map((given, n) => {
    const [outcome, serial] = Array.isArray(given) ? given : [given, `S${n}`];
    end(streak.start(), outcome, serial);
    return streak.isFull;
  });
}

test('three consecutive failures fill a streak, and repeated refusals of one serial count once', () => {
  assert.deepEqual(fill(unreachable, unreachable, unreachable), [false, false, true]);
  assert.deepEqual(fill(refused, refused, refused), [false, false, true]);
  assert.deepEqual(fill(refused, [refused, 'S0'], [refused, 'S0'], refused), [false, false, false, false]);
});

test('an answer ends a streak, and a response without an answer ends only its unreachable failures', () => {
  assert.ok(!fill(refused, refused, { is: 'not_found' }, refused, refused).at(-1));
  assert.ok(!fill(unreachable, unreachable, busy, unreachable, unreachable).at(-1));
  assert.ok(!fill(unreachable, unreachable, refused, unreachable, unreachable).at(-1));
  assert.ok(fill(refused, refused, busy, refused).at(-1));
  assert.ok(fill(unreachable, unreachable, silent, unreachable).at(-1));
});

test('while other calls are in flight, only calls that began during the streak fill it', () => {
  const burst = createFailureStreak();
  const calls = Array.from({ length: 5 }, () => burst.start());
  const full = calls.map((call, n) => {
    end(call, unreachable, `S${n}`);
    return burst.isFull;
  });
  assert.deepEqual(full, [false, false, false, false, true]);

  const slow = createFailureStreak();
  const [first] = [slow.start(), slow.start()];
  end(first, unreachable, 'A');
  for (const serial of ['B', 'C']) {
    assert.ok(!slow.isFull);
    end(slow.start(), unreachable, serial);
  }
  assert.ok(slow.isFull);
});

test('three refused serials fill a streak while other calls are in flight', () => {
  const streak = createFailureStreak();
  streak.start();
  const full = ['A', 'B', 'C'].map((serial) => {
    end(streak.start(), refused, serial);
    return streak.isFull;
  });
  assert.deepEqual(full, [false, false, true]);
});

test('calls start one at a time during a streak', () => {
  const streak = createFailureStreak();
  const [earlier, first] = [streak.start(), streak.start()];
  end(first, refused);
  assert.ok(streak.mayStart());
  const own = streak.start();
  assert.ok(!streak.mayStart());
  earlier.end();
  assert.ok(!streak.mayStart());
  own.end();
  assert.ok(streak.mayStart());
  const last = streak.start();
  end(streak.start(), { is: 'not_found' }, 'S1');
  assert.ok(streak.mayStart());
  streak.start();
  last.end();
  assert.ok(streak.mayStart());
});
