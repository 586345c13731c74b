import assert from 'node:assert/strict';
import { it } from 'node:test';
import { acceptDiscount, readCount } from './tickets-input.ts';

it('makes 0 of a data count that is no number', () => {
  assert.equal(readCount(''), '0');
  assert.equal(readCount('abc'), '0');
  assert.equal(readCount('025'), '25');
  assert.equal(readCount('12.7'), '12');
});

it('ignores a discount outside 0 to 100 as it is typed', () => {
  assert.equal(acceptDiscount('10', '101'), '10');
  assert.equal(acceptDiscount('10', '-1'), '10');
  assert.equal(acceptDiscount('10', '10.5'), '10');
  assert.equal(acceptDiscount('10', '100'), '100');
  assert.equal(acceptDiscount('10', '0'), '0');
  assert.equal(acceptDiscount('10', ''), '');
});
