import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDays } from './parse-days.ts';

test('typed days are up to five different whole numbers from 1 to 365', () => {
  assert.deepEqual(parseDays(' '), []);
  assert.deepEqual(parseDays('7'), [7]);
  assert.deepEqual(parseDays(' 7,14 , 365'), [7, 14, 365]);
  for (const wrong of ['0', '366', '7,7', '7,', '7 14', '1.5', '-1', 'seven', '1,2,3,4,5,6']) {
    assert.equal(parseDays(wrong), null, wrong);
  }
});
