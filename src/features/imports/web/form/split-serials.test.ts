import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitSerials } from './split-serials.ts';

test('pasted text is split at line breaks, commas, semicolons and tabs', () => {
  assert.deepEqual(splitSerials('1\r\n2, 3;4\t5\n\n 6 ,'), ['1', '2', '3', '4', '5', '6']);
  assert.deepEqual(splitSerials(' \n'), []);
});
