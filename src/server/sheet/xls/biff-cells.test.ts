import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCells } from './biff-cells.ts';
import type { BiffHead } from './biff-head.ts';
import { type BiffRecord, recordType } from './biff-records.ts';
import { readSharedStrings } from './biff-strings.ts';

const biff8: BiffHead = { version: 8, sheets: [], codePage: 1200, date1904: false, sharedStrings: undefined };
const biff5: BiffHead = { ...biff8, version: 5, codePage: 1251 };

const record = (type: number, ...parts: Buffer[]): BiffRecord => ({
  type,
  at: 0,
  data: parts[0] ?? Buffer.alloc(0),
  rest: parts.slice(1),
});
const hex = (bytes: string) => Buffer.from(bytes.replaceAll(' ', ''), 'hex');
const read = (head: BiffHead, ...records: BiffRecord[]) =>
  [...readCells(head, records)].map(({ row, column, cell }) => [
    row,
    column,
    typeof cell === 'object' && 'text' in cell ? cell.text : cell,
  ]);

test('RK numbers are decoded in all four forms', () => {
  // [MS-XLS] 2.5.217: bit 0 divides by 100, bit 1 marks a whole number.
  const rk = (bits: number) => {
    const data = Buffer.alloc(10);
    data.writeUInt16LE(7, 0);
    data.writeInt32LE(bits, 6);
    return record(recordType.rk, data);
  };
  const double = (value: number) => {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    return bytes.readInt32LE(4);
  };
  const found = read(
    biff8,
    rk((45983 << 2) | 2),
    rk((-12345 << 2) | 3),
    rk(double(1.5)),
    rk(double(300) | 1),
  );
  assert.deepEqual(
    found.map(([, , text]) => text),
    [45983, -123.45, 1.5, 3],
  );
  const several = hex('0100 0200 0000 06000000 0000 0a000000 0300');
  assert.deepEqual(read(biff8, record(recordType.multipleRk, several)), [
    [1, 2, 1],
    [1, 3, 2],
  ]);
});

test('formula results are numbers, booleans, errors, or the text of the next record', () => {
  const formula = (value: string) =>
    record(recordType.formula, hex(`0000 0000 0000 ${value} 0000 00000000 0000`));
  const string = record(recordType.string, hex('0300 00 616263'));
  const other = record(0x04bc, hex('0000'));
  assert.deepEqual(
    read(
      biff8,
      formula('00 00 00 00 00 00 F83F'),
      formula('0100 01 000000 FFFF'),
      formula('0200 2A 000000 FFFF'),
    ),
    [
      [0, 0, 1.5],
      [0, 0, 'TRUE'],
      [0, 0, '#N/A'],
    ],
  );
  assert.deepEqual(read(biff8, formula('0000 00 000000 FFFF'), other, string), [
    [0, 0, undefined],
    [0, 0, 'abc'],
  ]);
});

test('texts are decoded from Unicode or from the code page of the workbook', () => {
  assert.deepEqual(read(biff8, record(recordType.label, hex('0000 0100 0000 0200 01 ac20 3100'))), [
    [0, 1, '\u20ac1'],
  ]);
  assert.deepEqual(read(biff5, record(recordType.richString, hex('0000 0100 0000 0200 cf 31 00'))), [
    [0, 1, '\u041f1'],
  ]);
});

test('shared strings may continue in other records, in one or two bytes per character, and formats are skipped', () => {
  const table = [
    hex('05000000 05000000 0100 00 61 0400 00 6263'),
    hex('01 6400 6500 0200 0c 0100 04000000 6667 00000000'),
    hex('ffffffff 0300 01 ac20'),
    hex('00 7879 0000 00'),
  ];
  assert.deepEqual(
    [...readSharedStrings(table, new Set([0, 1, 2, 3, 4]))],
    [
      [0, 'a'],
      [1, 'bcde'],
      [2, 'fg'],
      [3, '\u20acxy'],
      [4, ''],
    ],
  );
  assert.deepEqual([...readSharedStrings(table, new Set([3]))], [[3, '\u20acxy']]);
});

test('truncated texts and cells are reported as damage', () => {
  assert.throws(() => readSharedStrings([hex('01000000 01000000 0500 00 61')], new Set([0])));
  assert.throws(() => read(biff8, record(recordType.label, hex('0000 0100 0000 ffff 01 ac20'))));
  assert.throws(() => read(biff8, record(recordType.number, hex('0000 0100'))));
});

test('formulas are read from the records of older versions too', () => {
  for (const type of [0x0206, 0x0406]) {
    const formula = record(type, hex('0100 0000 0000 0000000000001440 0000 00000000 0000'));
    assert.deepEqual(read(biff8, formula), [[1, 0, 5]], type.toString(16));
  }
});

test('cells in other records of older versions are refused, not passed over', () => {
  for (const type of [0x0002, 0x0003, 0x0004, 0x0005, 0x0007, 0x007e]) {
    const old = record(type, hex('0100 0000 000000 0500 0000 0000 0000'));
    assert.throws(() => read(biff8, old), { fault: 'old_excel' }, type.toString(16));
  }
});

test('an empty text may lack its flags, and a Continue record may hold the flags alone', () => {
  const empty = record(recordType.label, hex('0000 0000 0000 0000'));
  assert.deepEqual(read(biff8, empty), [[0, 0, undefined]]);
  const parted = record(recordType.label, hex('0000 0000 0000 0300 00 61'), hex('00'), hex('00 6263'));
  assert.deepEqual(read(biff8, parted), [[0, 0, 'abc']]);
});
