import assert from 'node:assert/strict';
import { it } from 'node:test';
import { acceptDiscount, readCount } from './ticket-input.ts';

it('makes 0 of a data count that is no number', () => {
  assert.equal(readCount(''), '0');
  assert.equal(readCount('abc'), '0');
  assert.equal(readCount('-1'), '0');
  assert.equal(readCount('025'), '25');
});

it('keeps the marks of a data count as they are typed, for the field to judge', () => {
  for (const typed of ['1', '1.', '1.0', '1.00', '1.000', '1,000', '1 000', '12.7']) {
    assert.equal(readCount(typed), typed);
  }
});

it('ignores a discount outside 0 to 100 as it is typed', () => {
  assert.equal(acceptDiscount('10', '101'), '10');
  assert.equal(acceptDiscount('10', '-1'), '10');
  assert.equal(acceptDiscount('10', '1.000'), '10');
  assert.equal(acceptDiscount('10', '100'), '100');
  assert.equal(acceptDiscount('10', '0'), '0');
  assert.equal(acceptDiscount('10', ''), '');
});

it('keeps a discount that is no whole number as it is typed, for the field to refuse, and never takes 1.5 for 15', () => {
  const typeKeys = (text: string) => [...text].reduce((shown, key) => acceptDiscount(shown, shown + key), '');
  for (const typed of ['1.5', '2,5', '10.', '10.5']) assert.equal(typeKeys(typed), typed);
  assert.equal(acceptDiscount('10', '10.5'), '10.5');
  assert.equal(typeKeys('1.000'), '1.00');
});
