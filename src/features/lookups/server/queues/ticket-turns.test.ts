import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTicketTurns } from './ticket-turns.ts';

test('tickets take turns, each in its own order', () => {
  const queue = createTicketTurns<string>();
  for (const item of ['a1', 'a2', 'a3', 'a4']) queue.push(1, item);
  for (const item of ['b1', 'b2']) queue.push(2, item);
  const taken = [queue.shift(), queue.shift(), queue.shift()];
  queue.push(3, 'c1');
  while (queue.size > 0) taken.push(queue.shift());
  assert.deepEqual(taken, ['a1', 'b1', 'a2', 'b2', 'c1', 'a3', 'a4']);
  assert.equal(queue.shift(), undefined);
});

test('a new ticket waits for one turn of the old tickets and one turn of each new ticket before it', () => {
  const queue = createTicketTurns<string>();
  const shiftAll = (count: number) => Array.from({ length: count }, () => queue.shift()?.[0]).join('');
  for (let n = 0; n < 9; n++) for (const name of 'abcdef') queue.push(name.charCodeAt(0), `${name}${n}`);
  assert.equal(shiftAll(8), 'abcdefab');
  for (const name of 'xyz') queue.push(name.charCodeAt(0), name);
  assert.equal(shiftAll(12), 'cxdyezfabcde');
  // A ticket that is added again and again does not block the others.
  let taken = '';
  for (let n = 0; n < 6; n++) {
    queue.push(1, 'x');
    taken += shiftAll(2);
  }
  assert.equal(taken, 'fxaxbxcxdxex');
});

test('removed items are not returned any more', () => {
  const queue = createTicketTurns<number>();
  for (let n = 0; n < 10; n++) queue.push(n % 3, n);
  queue.shift();
  assert.deepEqual(queue.remove((n) => n % 2 === 1).sort(), [1, 3, 5, 7, 9]);
  assert.equal(queue.size, 4);
  const rest: (number | undefined)[] = [];
  while (queue.size > 0) rest.push(queue.shift());
  assert.deepEqual(rest.sort(), [2, 4, 6, 8]);
});

test('a ticket keeps its turn when all items of a ticket before it are removed', () => {
  const queue = createTicketTurns<string>();
  for (const item of ['a1', 'b1', 'c1', 'd1', 'a2', 'b2', 'c2', 'd2']) queue.push(item.charCodeAt(0), item);
  assert.deepEqual([queue.shift(), queue.shift()], ['a1', 'b1']);
  queue.remove((item) => item.startsWith('a'));
  assert.deepEqual([queue.shift(), queue.shift(), queue.shift()], ['c1', 'd1', 'b2']);
});
