import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPositionList, readPositions } from './positions.ts';

test('a list of positions holds single ones and ranges', () => {
  assert.deepEqual(readPositions('4,1,10-25'), [
    [4, 4],
    [1, 1],
    [10, 25],
  ]);
  for (const list of ['1', '1,1', '7-7', '1,4,10-25', '1234567890']) assert.ok(isPositionList(list), list);
  const wrong = [
    '',
    '0',
    '1,',
    ',1',
    '1-',
    '-1',
    '1--2',
    '25-10',
    '1;2',
    'a',
    '1, 2',
    '1.5',
    '12345678901',
    '01',
  ];
  for (const list of wrong) assert.ok(!isPositionList(list), list);
});
