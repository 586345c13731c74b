import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  chooseColumns,
  findStops,
  inOrder,
  layTracks,
  moveColumn,
  plainLook,
  sumReadable,
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

test('words have their room before the others share what is left, and what comes last has what those leave', () => {
  const several = [
    { key: 'state', width: 100, words: {} },
    { key: 'serial', width: 130, words: { last: true as const } },
    { key: 'type', width: 60 },
    { key: 'mark', width: 80, words: {} },
    { key: 'at', width: 90, words: { last: true as const } },
    { key: 'said', width: 80, words: {} },
  ];
  const asked = { state: 160, serial: 200, type: 240, mark: 95, at: 150 };
  assert.equal(
    layTracks(several, plainLook, new Map(Object.entries(asked))),
    [
      // The least of all is 540.
      'clamp(100px, 100% - 440px, 160px)',
      // All others whole, but for what comes last itself: 160 + 240 + 95 + 90 + 80.
      'clamp(130px, 100% - 665px, 200px)',
      'minmax(60px, 240fr)',
      'clamp(80px, 100% - 520px, 95px)',
      'clamp(90px, 100% - 775px, 150px)',
      '80px',
    ].join(' '),
  );
});

test('where no column would take what is left, the last one does', () => {
  const look = { ...plainLook, widths: { type: 90 } };
  const few = [
    { key: 'mark', width: 80, words: {} },
    { key: 'type', width: 60 },
  ];
  assert.equal(layTracks(few, look, new Map()), '80px minmax(90px, 90fr)');
  assert.equal(layTracks(few.slice(0, 1), look, new Map([['mark', 95]])), 'minmax(80px, 95fr)');
});

test('where a table scrolls, its long texts can be read', () => {
  const asked = new Map([
    ['type', 120],
    ['end', 300],
  ]);
  assert.equal(sumReadable(columns, plainLook, asked), 60 + 130 + 120 + 140);
  assert.equal(sumReadable(columns, { ...plainLook, widths: { end: 90 } }, asked), 60 + 130 + 120 + 90);
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
