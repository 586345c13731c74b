import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFairQueue } from './fair-queue.ts';

const owner = (companyCode: string, ticketId: number, isRecheck = false) => ({
  companyCode,
  ticketId,
  isRecheck,
});
const shiftAll = (queue: { shift(): string | undefined }, count: number) =>
  Array.from({ length: count }, () => queue.shift()?.[0] ?? '-').join('');

test('companies take turns, and in each its tickets', () => {
  const queue = createFairQueue<string>();
  for (let n = 0; n < 4; n++) queue.push(owner('A', n), `a${n}`);
  for (const item of ['b1', 'b2', 'b3', 'b4']) queue.push(owner('B', 9), item);
  assert.equal(queue.size, 8);
  assert.equal(shiftAll(queue, 9), 'abababab-');
});

test('a company that runs out of rows again and again gets no more than its turns', () => {
  const queue = createFairQueue<string>();
  for (const name of 'abc') for (let n = 0; n < 9; n++) queue.push(owner(name, 1), name);
  let taken = '';
  for (let n = 0; n < 12; n++) {
    // It always has one row.
    if (n === 0 || taken.endsWith('x')) queue.push(owner('X', n), 'x');
    taken += queue.shift();
  }
  assert.equal([...taken].filter((name) => name === 'x').length, 3, taken);
});

test('rechecks come behind the rows of all uploads', () => {
  const queue = createFairQueue<string>();
  queue.push(owner('A', 1, true), 'r');
  queue.push(owner('B', 2), 'b');
  queue.push(owner('B', 2), 'b');
  assert.equal(shiftAll(queue, 3), 'bbr');
});

test('a company keeps its turn when all rows of a company before it are removed', () => {
  const queue = createFairQueue<string>();
  for (const name of 'abcabc') queue.push(owner(name, 1), name);
  assert.equal(shiftAll(queue, 1), 'a');
  assert.deepEqual(
    queue.remove((item) => item === 'a'),
    ['a'],
  );
  assert.equal(shiftAll(queue, 4), 'bcbc');
  assert.equal(queue.size, 0);
});
