import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { setDeadline } from './deadlines.ts';

let now = 100_000;
beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  mock.method(performance, 'now', () => now);
});
afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

function advance(ms: number): void {
  for (let gone = 0; gone < ms; gone += 25) {
    now += 25;
    mock.timers.tick(25);
  }
}

test('deadlines pass in time unless they are cancelled', () => {
  const passed: string[] = [];
  setDeadline(300, () => passed.push('long'));
  setDeadline(100, () => passed.push('short'));
  const cancelDeadline = setDeadline(100, () => passed.push('never'));
  cancelDeadline();
  cancelDeadline();
  advance(75);
  assert.equal(passed.length, 0);
  advance(25);
  assert.deepEqual(passed.splice(0), ['short']);
  setDeadline(100, () => passed.push('another'));
  advance(200);
  assert.deepEqual(passed, ['another', 'long']);
});

test('after a freeze the process has one second to read responses before deadlines pass', () => {
  const passed: string[] = [];
  const cancelDeadline = setDeadline(500, () => passed.push('answered'));
  setDeadline(500, () => passed.push('silent'));
  now += 20_000;
  mock.timers.tick(500);
  cancelDeadline();
  advance(975);
  assert.deepEqual(passed, []);
  advance(25);
  assert.deepEqual(passed, ['silent']);
});

test('a deadline that passed shortly before the end of a freeze waits, too', () => {
  const passed: string[] = [];
  setDeadline(500, () => passed.push('late'));
  now += 700;
  mock.timers.tick(500);
  assert.deepEqual(passed, []);
  advance(1000);
  assert.deepEqual(passed, ['late']);
});
