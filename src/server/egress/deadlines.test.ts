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

test('deadlines pass in time, unless they are called off', () => {
  const passed: string[] = [];
  setDeadline(300, () => passed.push('long'));
  setDeadline(100, () => passed.push('short'));
  const callOff = setDeadline(100, () => passed.push('never'));
  callOff();
  callOff();
  advance(75);
  assert.equal(passed.length, 0);
  advance(25);
  assert.deepEqual(passed.splice(0), ['short']);
  setDeadline(100, () => passed.push('another'));
  advance(200);
  assert.deepEqual(passed, ['another', 'long']);
});

test('after the process stood still there is a second to read what arrived meanwhile', () => {
  const passed: string[] = [];
  const callOff = setDeadline(500, () => passed.push('answered'));
  setDeadline(500, () => passed.push('silent'));
  advance(25);
  now += 20_000;
  advance(25);
  callOff();
  advance(950);
  assert.deepEqual(passed, []);
  advance(50);
  assert.deepEqual(passed, ['silent']);
});

test('once no deadline is left nothing is looked at any more, so that a process can end', () => {
  const timers = mock.method(globalThis, 'setTimeout');
  setDeadline(50, () => undefined);
  const callOff = setDeadline(500, () => undefined);
  advance(75);
  callOff();
  advance(25);
  const looks = timers.mock.callCount();
  assert.ok(looks > 0);
  advance(1000);
  assert.equal(timers.mock.callCount(), looks);
});
