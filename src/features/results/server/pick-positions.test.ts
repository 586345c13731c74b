import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RowSort } from '#shared/row-sorts.ts';
import { pickPositions } from './pick-positions.ts';
import { noDay, type RowIndex } from './row-index.ts';

const group = (type: string | null) => ({
  ...{ type, state: 'done' as const, reason: null, activation_status: null, warranty_title: null },
});

/** Rows at 11 to 16: phone, tablet, none, phone, laptop, none; days 5, none, 3, 5, 3, none. */
const index: RowIndex = {
  first: 11,
  groups: [null, group('phone'), group('tablet'), group(null), group('laptop')],
  groupOf: Int32Array.of(1, 2, 3, 1, 4, 3),
  days: [3, 5, noDay],
  dayOf: Int32Array.of(1, 2, 0, 1, 0, 2),
};
const all = Int32Array.of(0, 1, 2, 3, 4, 5);
/** Rows 12 and 15 have the same serial. */
const serialRanks = Int32Array.of(5, 2, 4, 1, 2, 3);

const pick = (sort: RowSort, order: 'asc' | 'desc', offset = 0, limit = 10, rows = all) => [
  ...pickPositions(index, rows, { sort, order }, { offset, limit }, serialRanks),
];

test('rows are sorted either way; those without the value come last, and equal ones stand as in the sheet', () => {
  assert.deepEqual(pick('position', 'asc'), [11, 12, 13, 14, 15, 16]);
  assert.deepEqual(pick('position', 'desc'), [16, 15, 14, 13, 12, 11]);
  assert.deepEqual(pick('type', 'asc'), [15, 11, 14, 12, 13, 16]);
  assert.deepEqual(pick('type', 'desc'), [12, 11, 14, 15, 13, 16]);
  assert.deepEqual(pick('coverage_end_date', 'asc'), [13, 15, 11, 14, 12, 16]);
  assert.deepEqual(pick('coverage_end_date', 'desc'), [11, 14, 13, 15, 12, 16]);
  assert.deepEqual(pick('serial_number', 'asc'), [14, 12, 15, 16, 13, 11]);
  assert.deepEqual(pick('serial_number', 'desc'), [11, 13, 16, 12, 15, 14]);
});

test('a page of sorted rows is the part of them that it says, of those alone that were found', () => {
  assert.deepEqual(pick('position', 'desc', 1, 2), [15, 14]);
  assert.deepEqual(pick('type', 'asc', 1, 3), [11, 14, 12]);
  assert.deepEqual(pick('type', 'asc', 4, 10), [13, 16]);
  assert.deepEqual(pick('type', 'asc', 6, 10), []);
  assert.deepEqual(pick('type', 'desc', 0, 2, Int32Array.of(2, 4, 5)), [15, 13]);
});
