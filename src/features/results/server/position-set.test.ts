import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PositionSet, setOf } from './position-set.ts';

test('a set has the positions that were added, and none beside or beyond them', () => {
  const positions = new PositionSet();
  for (const position of [1, 8, 16_384, 1_000_000]) positions.add(position);
  const looked = [
    0, 1, 2, 7, 8, 9, 16, 8192, 16_383, 16_384, 16_385, 999_999, 1_000_000, 1_000_001, 8_000_000,
  ];
  assert.deepEqual(
    looked.filter((position) => positions.has(position)),
    [1, 8, 16_384, 1_000_000],
  );
});

test('of listed positions those are taken that the ticket has, both ends of a range included', () => {
  const index = { first: 11, groupOf: new Int32Array(10) };
  const found = (listed: string) => {
    const positions = setOf(listed, index);
    return Array.from({ length: 40 }, (_, position) => position).filter((position) =>
      positions.has(position),
    );
  };
  assert.deepEqual(found('12-14,13-16'), [12, 13, 14, 15, 16]);
  assert.deepEqual(found('1-11,20-99'), [11, 20]);
  assert.deepEqual(found('18,12,15'), [12, 15, 18]);
  assert.deepEqual(found('1-10,21-30'), []);
});
