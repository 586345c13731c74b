import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import * as XLSX from '@e965/xlsx';
import type { Cell } from './cell.ts';
import { clockOf, dayNumber } from './dates.ts';
import { type Sheet, writeWorkbook } from './write-workbook.ts';

async function* batchesOf(...batches: Cell[][][]) {
  yield* batches;
}
const columns = [
  { header: 'A & "B"', width: 10 },
  { header: '<C>', width: 20 },
];
const write = async (sheets: Sheet[], maxRows?: number) =>
  XLSX.read(await buffer(writeWorkbook(sheets, maxRows)), { dense: true, cellNF: true });
const valuesOf = (book: XLSX.WorkBook, name: string) =>
  (book.Sheets[name]?.['!data'] ?? []).map((cells) => Array.from(cells, (cell) => cell?.v));

test('all texts are read back unchanged', async () => {
  const texts = [
    ...[
      '=1+1',
      '  spaces ',
      'two\nlines',
      '_x0041_',
      '<&>"\'',
      '\u0001\u001f',
      '007',
      '1e5',
      'é漢😀',
      '-',
      '',
    ],
    'x'.repeat(2000),
  ];
  const rows = texts.map((text): Cell[] => [text, { value: text, tone: 'bad' }]);
  const book = await write([
    { name: 'Texts & more', columns, rows: batchesOf([], rows.slice(0, 5), rows.slice(5)) },
  ]);
  assert.deepEqual(book.SheetNames, ['Texts & more']);
  const [head, ...read] = valuesOf(book, 'Texts & more');
  assert.deepEqual(head, ['A & "B"', '<C>']);
  assert.deepEqual(
    read,
    texts.map((text) => [text, text]),
  );
});

test('numbers stay numbers, and an empty cell is not written', async () => {
  const rows: Cell[][] = [
    [0, 1.5],
    [null, -7],
    [{ value: 46377, form: 'day' }, null],
  ];
  const book = await write([{ name: 'Numbers', columns, rows: batchesOf(rows) }]);
  const [, first, second, third] = book.Sheets.Numbers?.['!data'] ?? [];
  assert.deepEqual([first?.[0]?.t, first?.[0]?.v, first?.[1]?.v], ['n', 0, 1.5]);
  assert.deepEqual([second?.[0], second?.[1]?.v], [undefined, -7]);
  assert.deepEqual([third?.[0]?.z, third?.[1]], ['m/d/yy', undefined]);
});

test('rows beyond the limit of a sheet continue in another sheet', async () => {
  const rows = Array.from({ length: 7 }, (_, row): Cell[] => [row]);
  const book = await write(
    [
      { name: 'Many', columns, rows: batchesOf(rows.slice(0, 2), rows.slice(2)) },
      { name: 'Last', columns, rows: batchesOf() },
    ],
    4,
  );
  assert.deepEqual(book.SheetNames, ['Many', 'Many_2', 'Many_3', 'Last']);
  const read = ['Many', 'Many_2', 'Many_3'].map((name) => valuesOf(book, name).slice(1).flat());
  assert.deepEqual(read, [[0, 1, 2], [3, 4, 5], [6]]);
  assert.deepEqual(valuesOf(book, 'Last'), [['A & "B"', '<C>']]);
});

test('an error while rows are read fails the workbook', async () => {
  async function* failing(): AsyncGenerator<Cell[][]> {
    yield [['a']];
    throw new Error('no more rows');
  }
  await assert.rejects(buffer(writeWorkbook([{ name: 'A', columns, rows: failing() }])), /no more rows/);
});

test('days and instants are Excel’s serial numbers in the time zone', () => {
  assert.equal(dayNumber('1900-03-01'), 61);
  assert.equal(dayNumber('2026-12-21'), 46377);
  assert.deepEqual(
    [dayNumber('1899-12-31'), dayNumber('1900-02-28'), dayNumber('not a day')],
    [null, null, null],
  );
  const show = (timeZone: string, instant: string) =>
    XLSX.SSF.format('yyyy-mm-dd hh:mm:ss', clockOf(timeZone)(new Date(instant)));
  assert.equal(show('Asia/Jakarta', '2026-11-20T18:30:05.999Z'), '2026-11-21 01:30:05');
  assert.equal(show('Asia/Kathmandu', '2026-11-20T18:14:59Z'), '2026-11-20 23:59:59');
  // Before and after a clock change.
  assert.equal(show('Europe/Berlin', '2026-10-25T00:59:59Z'), '2026-10-25 02:59:59');
  assert.equal(show('Europe/Berlin', '2026-10-25T01:00:00Z'), '2026-10-25 02:00:00');
});

test('identifiers stay texts when they are edited, and are not marked as mistakes', async () => {
  const rows: Cell[][] = [
    ['013554006297015', 'C39ABC'],
    [{ value: '1e5', tone: 'bad' }, '12 days'],
  ];
  const content = await buffer(writeWorkbook([{ name: 'Devices', columns, rows: batchesOf(rows) }]));
  const [, ...read] = XLSX.read(content, { dense: true, cellNF: true }).Sheets.Devices?.['!data'] ?? [];
  assert.deepEqual(
    read.map((cells) => cells.map(({ z }) => z)),
    [
      ['@', 'General'],
      ['@', 'General'],
    ],
  );
  const { files } = XLSX.read(content, { bookFiles: true }) as {
    files?: Record<string, { content: Buffer }>;
  };
  assert.match(
    String(files?.['xl/worksheets/sheet1.xml']?.content),
    /<ignoredError sqref="A1:B3" numberStoredAsText="1"\/>/,
  );
});
