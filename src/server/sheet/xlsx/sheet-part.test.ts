import assert from 'node:assert/strict';
import { test } from 'node:test';
import { worksheetXml } from '#tests/support/sheets/make-workbook.ts';
import type { RawRow } from './raw-cell.ts';
import { SheetPart } from './sheet-part.ts';

const readPieces = (pieces: Buffer[]): RawRow[] => {
  const part = new SheetPart({ first: 1, count: 3 }, 1000);
  for (const piece of pieces) part.write(piece);
  part.end();
  return part.take();
};

test('a worksheet part reads the same at any boundary of chunks', () => {
  const rows = [
    '<row r="1" spans="1:3"><c r="A1" s="1" t="str"><v>\u20ac &amp; \u{1F600}</v></c><c r="C1" t="b"><v>1</v></c></row>',
    '\n <row r="2"/><row r="4"><c r="B4"><v>3.5E3</v></c><c r="F4" t="inlineStr"><is><t>></t></is></c></row>',
    '<row r="5"><c r="A5" t="inlineStr"><is><t xml:space="preserve"> x_x000D_</t></is></c></row>',
    "<row r='6'><c r='A6'><!-- </row> --><v>7</v></c></row>",
    '<row r="7"><c t="s" r="A7"><v>12</v></c></row>',
  ];
  const xml = Buffer.from(`<?xml version="1.0"?>${worksheetXml(rows.join(''))}`);
  const whole = readPieces([xml]);
  assert.equal(whole.length, 5);
  for (let at = 0; at <= xml.length; at++) {
    const pieces = [xml.subarray(0, at), xml.subarray(at, at + 7), xml.subarray(at + 7)];
    assert.deepEqual(readPieces(pieces), whole);
  }
});

test('a row within a row is refused, because both would end at the same tag', () => {
  const nested = '<row><c><v>1</v><row><c><v>2</v></c></row></c><c><v>3</v></c></row>';
  assert.throws(() => readPieces([Buffer.from(worksheetXml(nested))]), { fault: 'corrupt' });
});

const textsOf = (xml: string) =>
  readPieces([Buffer.from(worksheetXml(xml))]).map(({ row, cells }) => [row, ...cells]);
const noResult = { text: '=', numeric: false, noResult: true };
const numeric = (text: string) => ({ text, numeric: true });

test('cells of a row are read in any order, and a second value of a cell is refused', () => {
  const rows =
    '<row r="1"><c r="B1"><v>2</v></c><c r="A1"><v>1</v></c></row><row r="2"><c r="Z2"/><c r="A2"><v>3</v></c></row>';
  assert.deepEqual(textsOf(rows), [
    [1, numeric('1'), numeric('2')],
    [2, numeric('3')],
  ]);
  const twice = '<row r="1"><c r="A1"><v>1</v></c><c r="B1"/><c r="A1"><v>2</v></c></row>';
  assert.throws(() => textsOf(twice), { fault: 'corrupt' });
});

test('a row may be written in several elements', () => {
  const rows =
    '<row r="1"><c r="A1"><v>1</v></c></row><row r="1"><c r="B1"><v>2</v></c></row><row r="2"><c r="A2"><v>3</v></c></row>';
  assert.deepEqual(textsOf(rows), [
    [1, numeric('1'), numeric('2')],
    [2, numeric('3')],
  ]);
});

test('the number of a row may have blanks around it, and anything but a whole number is refused', () => {
  const rowsWith = (number: string) => textsOf(`<row r="${number}"><c r="A1"><v>1</v></c></row>`);
  for (const number of ['5', ' 5 ', '\n\t5', '000000005'])
    assert.deepEqual(rowsWith(number), [[5, numeric('1')]], number);
  assert.deepEqual(rowsWith('1048576'), [[1_048_576, numeric('1')]]);
  for (const number of [
    '',
    ' ',
    '0',
    '-5',
    '5.0',
    '5 5',
    '5x',
    'x5',
    '1048577',
    '0000000005',
    '9'.repeat(400),
  ])
    assert.throws(() => rowsWith(number), { fault: 'corrupt' }, number);
  const rows = (...numbers: number[]) => textsOf(numbers.map((row) => `<row r="${row}"/>`).join(''));
  assert.throws(() => rows(3, 2), { fault: 'corrupt', message: /row 2 after row 3/ });
  // Without a number it is the next row.
  assert.deepEqual(textsOf('<row r="7"/><row><c><v>1</v></c></row>'), [[8, numeric('1')]]);
});

test('rows and cells in unexpected places are refused, not skipped', () => {
  for (const rows of [
    '<c r="A1"><v>1</v></c>',
    '<row r="1"><c r="A1"><c r="A1"><v>1</v></c></c></row>',
    '<row r="1"><c r="A1"><row r="2"/></c></row>',
    '<row r="1"><c r="1"><v>1</v></c></row>',
  ])
    assert.throws(() => textsOf(rows), { fault: 'corrupt' }, rows);
});

test('a text in a cell is read whatever its type says', () => {
  const rows =
    '<row r="1"><c r="A1"><is><t>a</t></is></c><c r="B1" t="inlineStr"><v>b</v></c></row><row><c t="s"><v> 7 </v></c></row>';
  assert.deepEqual(textsOf(rows), [
    [1, { text: 'a', numeric: false }, { text: 'b', numeric: false }],
    [2, { shared: 7 }],
  ]);
});

test('a formula without a result is a cell that says so, and one whose result is an empty text is empty', () => {
  const rows =
    '<row r="1"><c r="A1"><f>B1</f><v/></c><c r="B1" t="s"><f>C1</f></c><c r="C1" t="str"><f>""</f><v></v></c></row><row r="2"><c r="A2"><f>B2</f><v>7</v></c><c r="B2"><v/></c></row>';
  assert.deepEqual(textsOf(rows), [
    [1, noResult, noResult],
    [2, numeric('7')],
  ]);
});

test('elements of other namespaces are no cells', () => {
  const rows =
    '<row r="1"><c r="A1" xmlns:x="urn:x"><x:v>9</x:v><v>1</v><v xmlns="urn:x">8</v></c><x:c xmlns:x="urn:x" r="B1"><v>7</v></x:c></row>';
  assert.deepEqual(textsOf(rows), [[1, numeric('1')]]);
});
