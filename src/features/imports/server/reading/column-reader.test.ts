import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SheetError } from '#server/sheet/sheet-error.ts';
import { ColumnReader } from './column-reader.ts';

const read = (cells: (string | number | null)[], maxRows = 1000) => {
  const column = new ColumnReader(maxRows);
  const rows = cells.map((cell, i) => ({
    row: i + 1,
    cells: [cell === null ? undefined : { text: String(cell), numeric: typeof cell === 'number' }],
  }));
  return { column, ...column.read(rows) };
};
const first = '356938030010004';
const second = '356938030010012';

describe('a column', () => {
  test('header and empty cells are skipped, and the other cells keep their order', () => {
    const { column, imported } = read([null, 'Serial number', first, ' ', 'hello', second]);
    assert.equal(column.headerSkipped, true);
    assert.equal(column.cells, 4);
    assert.deepEqual(
      imported.map(({ position, sheetRow, serial, reason }) => [position, sheetRow, serial, reason]),
      [
        [1, 3, first, null],
        [2, 5, 'hello', 'other'],
        [3, 6, second, null],
      ],
    );
  });

  test('a column without a header keeps its first cell, valid or not', () => {
    assert.equal(read([first]).column.headerSkipped, false);
    const { column, imported } = read(['IMEI1', 'IMEI']);
    assert.equal(column.headerSkipped, false);
    assert.deepEqual(
      imported.map(({ serial }) => serial),
      ['IMEI1', 'IMEI'],
    );
  });

  test('a first cell with a word apart from its digits is a header, also one that reads as a serial number', () => {
    for (const head of ['Laporan 2026', 'Serial No 1', 'IMEI Slot 1', 'Device 001']) {
      const { column, imported } = read([null, head, first, head]);
      assert.deepEqual([column.headerSkipped, column.headerRow, column.imported], [true, 2, 2], head);
      assert.equal(imported[0]?.serial, first);
    }
    for (const serial of ['35 693803 001000 4', 'C39X Q1AB CD2E', 'ABC1234567', `${first} / ${second}`]) {
      const { column } = read([serial, 'F17XK1ABC01']);
      assert.deepEqual([column.headerSkipped, column.invalidCount], [false, 0], serial);
    }
  });

  test('a header is skipped only in the first cell, and a second header is an invalid cell', () => {
    for (const cells of [
      ['IMEI', 'Serial number', first],
      ['IMEI', first, 'IMEI'],
    ]) {
      const { column, imported } = read(cells);
      assert.deepEqual([column.headerSkipped, column.invalidCount, column.imported], [true, 1, 2]);
      assert.equal(
        imported.find(({ reason }) => reason !== null)?.serial,
        cells.at(-1) === first ? 'Serial number' : 'IMEI',
      );
    }
  });

  test('the original text of a changed cell is kept', () => {
    const { imported } = read([
      first,
      ' 35-693803-001000-4x',
      12345000000104,
      'c02abcd1',
      `${second}/C02ABCD2`,
    ]);
    assert.deepEqual(
      imported.map(({ serial, kind, original }) => [serial, kind, original]),
      [
        [first, 'imei', null],
        [' 35-693803-001000-4x', null, null],
        ['012345000000104', 'imei', '12345000000104'],
        ['C02ABCD1', 'serial', 'c02abcd1'],
        [second, 'imei', `${second}/C02ABCD2`],
        ['C02ABCD2', 'serial', `${second}/C02ABCD2`],
      ],
    );
  });

  test('the first of several equal serials, compared as stored, is imported, and invalid cells are never duplicates', () => {
    const { column, imported, duplicates } = read([
      first,
      '35-693803-001000-4',
      'nothing',
      'nothing',
      `${second},${second},${first};${first}`,
      first,
    ]);
    assert.equal(column.imported, 4);
    assert.equal(column.invalidCount, 2);
    assert.equal(imported.length, 4);
    assert.equal(column.duplicateCount, 4);
    assert.deepEqual(
      duplicates.map(({ row, serial, firstRow }) => [row, serial, firstRow]),
      [
        [2, first, 1],
        [5, second, 5],
        [5, first, 1],
        [6, first, 1],
      ],
    );
  });

  test('the first hundred invalid cells and duplicates are listed, and all are counted', () => {
    const { column } = read([first, ...Array.from({ length: 150 }, () => 'bad'), ...Array(150).fill(first)]);
    assert.deepEqual([column.invalid.length, column.invalidCount], [100, 150]);
    assert.deepEqual([column.duplicates.length, column.duplicateCount], [100, 150]);
    assert.deepEqual(column.invalid[0], { row: 2, value: 'bad', reason: 'other' });
  });

  test('at most the allowed number of cells is read, and as many serials and duplicates of cells with several', () => {
    const tooMany = (error: unknown) =>
      error instanceof SheetError && error.fault === 'too_many_rows' && error.status === 413;
    assert.equal(read([first, second], 2).column.imported, 2);
    assert.throws(() => read([first, second, first], 2), tooMany);
    assert.throws(() => read(['Serial number', first, second], 2), tooMany);
    assert.throws(() => read([`${first},${second},C02ABCD1`], 2), tooMany);
    const both = `${first},${second}`;
    assert.equal(read([both, both], 2).column.duplicateCount, 2);
    assert.throws(() => read([both, both, both], 3), tooMany);
  });

  test('rows with a value in another column alone do not count', () => {
    const column = new ColumnReader(1);
    const [serial, employee] = [first, 'Rina'].map((text) => ({ text, numeric: false }));
    column.read([
      { row: 1, cells: [undefined, employee] },
      { row: 2, cells: [serial, employee] },
      { row: 3, cells: [{ text: ' ', numeric: false }, employee] },
    ]);
    assert.deepEqual([column.cells, column.imported], [1, 1]);
  });

  test('long texts are truncated, and characters that the database cannot store are removed', () => {
    const { imported } = read([first, 'a\0b\ud800', 'x'.repeat(40_000), '\0'.repeat(9) + 'x'.repeat(200)]);
    assert.equal(imported[1]?.serial, 'ab\ufffd');
    assert.equal(imported[2]?.serial, `${'x'.repeat(200)}\u2026`);
    assert.equal(imported[3]?.serial, 'x'.repeat(200), 'it is not cut');
  });
});
