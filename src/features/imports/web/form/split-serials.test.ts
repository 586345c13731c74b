import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitSerials } from './split-serials.ts';

test('pasted text is split at line breaks, commas, semicolons and tabs', () => {
  assert.deepEqual(splitSerials('1\r\n2, 3;4\t5\n\n 6 ,'), ['1', '2', '3', '4', '5', '6']);
  assert.deepEqual(splitSerials(' \n'), []);
});

test('a number with an exponent, as Excel shows it with a decimal comma, stays one entry', () => {
  assert.deepEqual(splitSerials('3,53901E+14\n1,2, 35,3e14 ;3'), ['3,53901E+14', '1', '2', '35,3e14', '3']);
  assert.deepEqual(splitSerials('3535,3E+14,3,5E+14X'), ['3535', '3E+14', '3', '5E+14X']);
});
