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
  advance(25);
  now += 20_000;
  advance(25);
  cancelDeadline();
  advance(950);
  assert.deepEqual(passed, []);
  advance(50);
  assert.deepEqual(passed, ['silent']);
});

test('without pending deadlines no timer runs, so that the process can end', () => {
  const timers = mock.method(globalThis, 'setTimeout');
  setDeadline(50, () => undefined);
  const cancelDeadline = setDeadline(500, () => undefined);
  advance(75);
  cancelDeadline();
  advance(25);
  const looks = timers.mock.callCount();
  assert.ok(looks > 0);
  advance(1000);
  assert.equal(timers.mock.callCount(), looks);
});
