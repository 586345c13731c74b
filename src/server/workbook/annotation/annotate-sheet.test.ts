import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addStyles } from './add-styles.ts';
import { annotateSheet } from './annotate-sheet.ts';
import { findLastColumn } from './annotate-workbook.ts';

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';

async function* piecesOf(xml: string) {
  yield Buffer.from(xml);
}

/** Annotates a worksheet part with the number 7 in column B of row 1. */
async function annotate(inner: string): Promise<string> {
  async function* rows() {
    yield [{ row: 1, cells: [7] }];
  }
  const xml: string[] = [];
  const form = { styles: undefined, date1904: false };
  const pieces = piecesOf(`<worksheet ${main}>${inner}</worksheet>`);
  for await (const part of annotateSheet(pieces, { first: 2, widths: [9] }, rows(), form)) xml.push(part);
  return xml.join('').slice(`<worksheet ${main}>`.length, -'</worksheet>'.length);
}

const width = '<col min="2" max="2" width="9" customWidth="1"/>';
const cols = `<cols>${width}</cols>`;
const row = '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>7</v></c></row>';
const cellA = '<c r="A1"><v>1</v></c>';

test('columns with closing tags are written as empty elements', async () => {
  const written = '<cols><col min="1" max="4" width="20"></col></cols>';
  assert.equal(
    await annotate(`${written}<sheetData><row r="1">${cellA}</row></sheetData>`),
    `<cols><col min="1" max="1" width="20"/>${width}<col min="3" max="4" width="20"/></cols><sheetData>${row}</sheetData>`,
  );
});

test('a list without columns is replaced', async () => {
  assert.equal(
    await annotate(`<cols/><sheetData><row r="1">${cellA}</row></sheetData>`),
    `${cols}<sheetData>${row}</sheetData>`,
  );
});

test('cells are written beside a cell with extensions, not into it', async () => {
  const cell = '<c r="A1"><v>1</v><extLst><ext uri="x"/></extLst></c>';
  assert.equal(
    await annotate(`<sheetData><row r="1">${cell}</row></sheetData>`),
    `${cols}<sheetData><row r="1">${cell}<c r="B1"><v>7</v></c></row></sheetData>`,
  );
});

test('a row in several elements gets its cells once, and keeps no other in their columns', async () => {
  const rest = '<row r="1"><c r="D1"><v>2</v></c></row>';
  const empty = '<row r="1"><c r="B1" s="3"/></row>';
  assert.equal(
    await annotate(`<sheetData><row r="1">${cellA}</row>${empty}${rest}</sheetData>`),
    `${cols}<sheetData>${row}<row r="1"></row>${rest}</sheetData>`,
  );
});

test('elements of other namespaces stay as they are, whatever their local names', async () => {
  const foreign = '<x:row xmlns:x="urn:x" r="9"/><col xmlns="urn:y" min="1" max="9"></col>';
  const xml = `<sheetData><row r="1">${cellA}</row></sheetData><extLst>${foreign}<x:c xmlns:x="urn:x"/></extLst>`;
  assert.equal(
    await annotate(xml),
    `${cols}<sheetData>${row}</sheetData>${xml.slice(xml.indexOf('<extLst>'))}`,
  );
  const merged = '<x:mergeCell xmlns:x="urn:x" ref="A1:Z9"/>';
  assert.equal(
    await findLastColumn(piecesOf(`<worksheet ${main}><sheetData>${row}</sheetData>${merged}</worksheet>`)),
    2,
  );
});

test('a prefix of the main namespace is followed', async () => {
  const xml = `<s:worksheet ${main.replace('xmlns', 'xmlns:s')}><s:sheetData><s:row r="1"><s:c r="C1"><s:v>1</s:v></s:c></s:row></s:sheetData></s:worksheet>`;
  assert.equal(await findLastColumn(piecesOf(xml)), 3);
});

test('alternative and foreign styles are not counted', async () => {
  const mc = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';
  const alternatives =
    '<mc:AlternateContent><mc:Choice Requires="x"><xf/></mc:Choice><mc:Fallback><xf/></mc:Fallback></mc:AlternateContent>';
  const xml = `<styleSheet ${main} ${mc}><cellXfs count="2"><xf></xf>${alternatives}<x:xf xmlns:x="urn:x"/></cellXfs></styleSheet>`;
  assert.deepEqual((await addStyles(piecesOf(xml)))?.added, { day: 2, instant: 3, text: 4 });
});
