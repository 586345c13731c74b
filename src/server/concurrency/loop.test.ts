import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { setImmediate as settle } from 'node:timers/promises';
import { Loop } from './loop.ts';

type Round = { end(more?: boolean): Promise<void>; fail(error: Error): Promise<void> };
let rounds: Round[] = [];
let failures: unknown[] = [];
let pauseMs = 100;

/** Creates a loop whose rounds last until the test ends them. */
function createLoop(): Loop {
  return new Loop(
    () => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      rounds.push({
        end: async (more) => {
          resolve(more);
          await settle();
        },
        fail: async (error) => {
          reject(error);
          await settle();
        },
      });
      return promise;
    },
    { pauseMs: () => pauseMs, onFailure: (error) => failures.push(error) },
  );
}
const current = () => rounds.at(-1) ?? assert.fail('there was no round');

beforeEach(() => {
  [rounds, failures, pauseMs] = [[], [], 100];
  mock.timers.enable({ apis: ['setTimeout'] });
});
afterEach(() => mock.timers.reset());

test('a started loop pauses before its first round and after each round', async () => {
  createLoop().start();
  mock.timers.tick(99);
  assert.equal(rounds.length, 0);
  mock.timers.tick(1);
  assert.equal(rounds.length, 1);
  mock.timers.tick(1000);
  assert.equal(rounds.length, 1, 'never two rounds at once');
  pauseMs = 50;
  await current().end();
  mock.timers.tick(49);
  assert.equal(rounds.length, 1);
  mock.timers.tick(1);
  assert.equal(rounds.length, 2);
});

test('a loop that is woken during its pause begins one round at once', async () => {
  const loop = createLoop();
  loop.start();
  loop.wake();
  assert.equal(rounds.length, 1);
  mock.timers.tick(100);
  assert.equal(rounds.length, 1);
  await current().end();
  mock.timers.tick(99);
  assert.equal(rounds.length, 1);
  loop.wake();
  assert.equal(rounds.length, 2);
});

test('a loop that is woken several times during a round runs one more round right after it', async () => {
  const loop = createLoop();
  loop.wake();
  loop.wake();
  loop.wake();
  assert.equal(rounds.length, 1);
  await current().end();
  assert.equal(rounds.length, 2);
  await current().end();
  assert.equal(rounds.length, 2);
});

test('the next round follows at once after a round that resolves with true', async () => {
  createLoop().wake();
  await current().end(true);
  assert.equal(rounds.length, 2);
  await current().end(false);
  assert.equal(rounds.length, 2);
});

test('a loop reports a failed round and pauses before the next, even if it was woken during the round', async () => {
  const loop = createLoop();
  loop.wake();
  loop.wake();
  const error = new Error('no connection');
  await current().fail(error);
  assert.deepEqual(failures, [error]);
  assert.equal(rounds.length, 1);
  mock.timers.tick(100);
  assert.equal(rounds.length, 2);
});

test('runRound runs a round that begins after the running one', async () => {
  const loop = createLoop();
  loop.wake();
  let over = false;
  const asked = loop.runRound().then(() => {
    over = true;
  });
  await current().end();
  assert.equal(rounds.length, 2);
  assert.equal(over, false);
  await current().end();
  await asked;
  assert.equal(rounds.length, 2);
});

test('a stopped loop waits for the running round and begins no other', async () => {
  const loop = createLoop();
  loop.wake();
  loop.wake();
  let over = false;
  const stopped = loop.stop().then(() => {
    over = true;
  });
  await settle();
  assert.equal(over, false);
  await current().end(true);
  await stopped;
  loop.wake();
  mock.timers.tick(1000);
  assert.equal(rounds.length, 1);
});

test('a loop that is stopped during its pause begins no round', async () => {
  const loop = createLoop();
  loop.start();
  await loop.stop();
  mock.timers.tick(1000);
  assert.equal(rounds.length, 0);
});
