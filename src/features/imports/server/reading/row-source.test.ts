import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isShortList, type RowSource, readRows } from './row-source.ts';

const listOf = (count: number, length: number): RowSource => ({
  kind: 'texts',
  texts: Array.from({ length: count }, () => 'x'.repeat(length)),
});

test('a list is short if it has few texts and few characters, those of own columns included', () => {
  assert.equal(isShortList(listOf(1000, 65)), true);
  assert.equal(isShortList(listOf(1001, 1)), false);
  assert.equal(isShortList(listOf(3, 30_000)), false);
  const value = { note: 'x'.repeat(32_000) };
  assert.equal(isShortList({ kind: 'texts', texts: ['x', 'y'], fields: [value, undefined] }), true);
  assert.equal(isShortList({ kind: 'texts', texts: ['x', 'y', 'z'], fields: [value, value, value] }), false);
});

test('rows are read a few characters at a time, in order', async () => {
  const parts: number[][] = [];
  const take = async (rows: { row: number }[]) => void parts.push(rows.map(({ row }) => row));
  await readRows(listOf(5, 32_000), undefined, [], take);
  assert.deepEqual(parts, [[1, 2], [3, 4], [5]]);
  parts.length = 0;
  await readRows(listOf(1001, 15), undefined, [], take);
  assert.deepEqual(
    parts.map(({ length }) => length),
    [1000, 1],
  );
});
