import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  chooseColumns,
  findStops,
  inOrder,
  layTracks,
  moveColumn,
  plainLook,
  sumWidths,
} from './table-layout.ts';

const columns = [
  { key: 'no', width: 60 },
  { key: 'serial', width: 130, pinned: true as const },
  { key: 'type', width: 90 },
  { key: 'end', width: 100 },
];
const keysOf = (list: readonly { key: string }[]) => list.map(({ key }) => key).join(' ');

test('columns stand as chosen; the one that tells the rows apart cannot be hidden', () => {
  assert.equal(keysOf(chooseColumns(columns, plainLook)), 'no serial type end');
  assert.equal(keysOf(chooseColumns(columns, { order: [], hidden: ['serial', 'type'] })), 'no serial end');
  const order = moveColumn(keysOf(columns).split(' '), 'end', -1);
  assert.equal(keysOf(inOrder(columns, { order })), 'no serial end type');
  assert.equal(keysOf(inOrder(columns, { order: ['type'] })), 'type no serial end');
  assert.deepEqual(moveColumn(['a', 'b'], 'a', -1), ['a', 'b']);
  assert.deepEqual(moveColumn(['a', 'b'], 'gone', 1), ['a', 'b']);
});

test('room goes to what content asks for, and a width that was chosen is kept', () => {
  const look = { ...plainLook, widths: { end: 150 } };
  assert.equal(
    layTracks(columns, look, new Map([['type', 240]])),
    'minmax(60px, 60fr) minmax(130px, 130fr) minmax(90px, 240fr) 150px',
  );
  assert.equal(sumWidths(columns, look), 430);
});

test('a column with a width at which it is whole has that before the others get more than their least', () => {
  assert.equal(
    layTracks([...columns.slice(0, 2), { key: 'at', width: 100, whole: 150 }], plainLook, new Map()),
    'minmax(60px, 60fr) minmax(130px, 130fr) clamp(100px, 100% - 190px, 150px)',
  );
  // The second has what the first leaves; one that is whole at its least has just that.
  const several = [
    { key: 'state', width: 100, whole: 160 },
    { key: 'ends', width: 90, whole: 115 },
    { key: 'mark', width: 80, words: {} },
    { key: 'said', width: 80, words: {} },
  ];
  assert.equal(
    layTracks(several, plainLook, new Map([['mark', 95]])),
    [
      'clamp(100px, 100% - 250px, 160px)',
      'clamp(90px, 100% - 320px, 115px)',
      'clamp(80px, 100% - 355px, 95px)',
      'clamp(80px, 100% - 370px, 80px)',
    ].join(' '),
  );
});

test('pinned columns stop beside each other', () => {
  assert.deepEqual([...findStops(columns, plainLook)], [['serial', 0]]);
  const look = { ...plainLook, pinned: ['no', 'end'], widths: { no: 80 } };
  assert.deepEqual(
    [...findStops(columns, look)],
    [
      ['no', 0],
      ['serial', 80],
      ['end', 210],
    ],
  );
});
