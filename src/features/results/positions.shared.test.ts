import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPositionList, listPositions, maxPositionsLength, readPositions } from './positions.shared.ts';

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

test('positions are listed each once, as short as can be', () => {
  assert.equal(listPositions([]), '');
  assert.equal(listPositions([7]), '7');
  assert.equal(listPositions([3, 2, 1]), '1-3');
  assert.equal(listPositions([4, 1, 10, 11, 12, 11]), '1,4,10-12');
});

test('the positions of the largest page fit in a URL, wherever they are', () => {
  const list = listPositions(Array.from({ length: 1000 }, (_, place) => 1_000_000 - 2 * place));
  assert.ok(list.length <= maxPositionsLength);
  assert.ok(isPositionList(list));
});
