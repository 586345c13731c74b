import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  makeWorkbook,
  workbookParts,
  workbookXml,
  worksheetXml,
  zip,
} from '#tests/support/sheets/make-workbook.ts';
import { readSheet } from './read-sheet.ts';
import { SheetError } from './sheet-error.ts';
import type { SheetOptions, SheetRow } from './sheet-row.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-sheet-'));
});
after(() => rm(folder, { recursive: true }));

async function read(file: Buffer, options: Partial<SheetOptions> = {}) {
  const path = join(folder, 'sheet');
  await writeFile(path, file);
  const rows: SheetRow[] = [];
  let date1904: boolean | undefined;
  await readSheet(path, { columns: 1, maxRows: 1000, ...options }, (some, sheet) => {
    rows.push(...some);
    date1904 = sheet.date1904;
  });
  return { rows, date1904, texts: rows.map((row) => row.cells[0]?.text) };
}

const refuses = (file: Buffer, fault: string, status: number, options?: Partial<SheetOptions>) =>
  assert.rejects(read(file, options), (error) => {
    assert.ok(error instanceof SheetError, String(error));
    assert.deepEqual([error.fault, error.status], [fault, status], error.message);
    return true;
  });

const sheet = (rows: string, strings?: string) => zip(workbookParts(rows, strings));
const text = (reference: string, value: string) =>
  `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;

describe('an .xlsx sheet', () => {
  test('the requested columns are read as texts or numbers, and dates as serial numbers', async () => {
    const parts = workbookParts(
      `<row r="2">${text('A2', '356938030010004')}<c r="C2" s="3"><v>45983</v></c>${text('F2', 'beyond')}</row><row r="3">${text('F3', 'beyond')}</row>`,
    );
    parts.set('xl/workbook.xml', workbookXml('<sheet name="S" r:id="rId1"/>', '<workbookPr date1904="1"/>'));
    const { rows, date1904 } = await read(zip(parts), { columns: 5 });
    assert.equal(date1904, true);
    assert.equal(rows.length, 1);
    assert.equal(rows[0]?.row, 2);
    assert.deepEqual(
      [...(rows[0]?.cells ?? [])],
      [{ text: '356938030010004', numeric: false }, undefined, { text: '45983', numeric: true }],
    );
  });

  test('a calendar from 1904 is kept when an extension has properties of the same name', async () => {
    const parts = workbookParts(`<row r="1">${text('A1', 'a')}</row>`);
    const extension = '<extLst><ext><x15:workbookPr chartTrackingRefBase="1"/></ext></extLst>';
    const book = workbookXml('<sheet name="S" r:id="rId1"/>', '<workbookPr date1904="1"/>')
      .replace('<workbook ', '<workbook xmlns:x15="urn:x15" ')
      .replace('</workbook>', `${extension}</workbook>`);
    parts.set('xl/workbook.xml', book);
    assert.equal((await read(zip(parts))).date1904, true);
  });

  test('a sheet in another encoding, and one beside a sheet without a part, is read', async () => {
    const rows = `<row r="1">${text('A1', 'r\u00e9f')}</row>`;
    const left = workbookXml('<sheet name="T" r:id=""/><sheet name="S" r:id="rId1"/>');
    const declared = (encoding: string) =>
      `<?xml version="1.0" encoding="${encoding}"?>${worksheetXml(rows)}`;
    for (const part of [
      Buffer.from(declared('ISO-8859-1'), 'latin1'),
      Buffer.from(declared('UTF-16'), 'utf16le'),
      Buffer.from(declared('UTF-16')),
    ]) {
      const parts = workbookParts('');
      parts.set('xl/workbook.xml', left);
      parts.set('xl/worksheets/sheet1.xml', part);
      assert.deepEqual((await read(zip(parts))).texts, ['r\u00e9f']);
    }
  });

  test('only the requested columns are read', async () => {
    const file = sheet(`<row r="1">${text('A1', 'a')}${text('B1', 'b')}${text('C1', 'c')}</row>`);
    assert.deepEqual((await read(file, { columns: 1, firstColumn: 2 })).texts, ['b']);
    assert.deepEqual((await read(file, { columns: 1, firstColumn: 4 })).texts, []);
  });

  test('attributes may contain ">" at any boundary of chunks', async () => {
    const attribute = `x="${'a > b '.repeat(60_000)}"`;
    const file = sheet(
      `<row r="1" ${attribute}>${text('A1', 'one')}</row><row r="2">${text('A2', 'two')}</row>`,
    );
    assert.deepEqual((await read(file)).texts, ['one', 'two']);
  });

  test('escapes in texts are resolved', async () => {
    const file = sheet(
      `<row>${text('A1', 'a_x000D_&#10;b_x005F_x000D_&#x1F600;&amp;lt;')}</row><row><c t="str"><v>c_x0009_d</v></c></row>`,
    );
    assert.deepEqual((await read(file)).texts, ['a\r\nb_x000D_\u{1F600}&lt;', 'c\td']);
  });

  test('characters are decoded correctly at any boundary of chunks', async () => {
    const values = Array.from({ length: 30_000 }, (_, i) => `${'\u20ac\u{1F600}\u00e9'.repeat(i % 7)}${i}`);
    const { texts } = await read(makeWorkbook(values), { maxRows: 30_000 });
    assert.deepEqual(texts, values);
  });

  test('only the needed strings of a very large table are read', async () => {
    // Above 64 MB the reader first collects the needed strings. Random text keeps the compression ratio below the limit.
    const filler = () => `<si><t>${'x'.repeat(99_000)}${randomBytes(500).toString('hex')}</t></si>`;
    const strings = ['<si><t>first</t></si>', ...Array.from({ length: 700 }, filler), '<si><t>last</t></si>'];
    const rows = '<row><c t="s"><v>701</v></c></row><row><c t="s"><v>0</v></c></row>';
    const parts = workbookParts(rows, strings.join(''));
    assert.deepEqual((await read(zip(parts))).texts, ['last', 'first']);
  });

  test('a sheet with rows or cells out of order, or with ambiguous parts, is refused', async () => {
    await refuses(
      sheet(`<row r="2">${text('A2', 'a')}</row><row r="1">${text('A1', 'b')}</row>`),
      'corrupt',
      422,
    );
    await refuses(sheet(`<row r="1">${text('A1', 'a')}${text('A1', 'b')}</row>`), 'corrupt', 422, {
      columns: 2,
    });
    const twice = [...workbookParts(''), ['XL/Workbook.xml', 'x']] as [string, string][];
    await refuses(zip(twice), 'corrupt', 422);
  });

  test('a sheet without a checksum, a string or a visible sheet is refused', async () => {
    const file = makeWorkbook(['356938030010004']);
    const damaged = Buffer.from(file);
    // The checksum of the last part is 30 bytes before its name in the directory.
    const at = damaged.lastIndexOf('xl/worksheets/sheet1.xml') - 30;
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    assert.deepEqual((await read(file)).texts, ['356938030010004']);
    await refuses(damaged, 'corrupt', 422);
    await refuses(sheet('<row><c t="s"><v>1</v></c></row>', '<si><t>a</t></si>'), 'corrupt', 422);
    const hidden = workbookParts('');
    hidden.set('xl/workbook.xml', workbookXml('<sheet name="S" state="hidden" r:id="rId1"/>'));
    await refuses(zip(hidden), 'corrupt', 422);
  });

  test('a sheet with deep nesting, long stretches without a tag or too much markup is refused', async () => {
    await refuses(sheet('<a>'.repeat(300) + '</a>'.repeat(300)), 'bomb', 422);
    await refuses(sheet(`<!--${'x'.repeat(3_000_000)}-->`), 'bomb', 422);
    const parts = workbookParts('');
    parts.set('xl/worksheets/sheet1.xml', Buffer.from(worksheetXml('<a/>'.repeat(7_000_000))));
    await refuses(zip(parts), 'bomb', 422);
  });

  test('a sheet is refused as soon as a part exceeds its declared size', async () => {
    const file = makeWorkbook(Array.from({ length: 100_000 }, (_, n) => `C${10_000_000 + n}`));
    // The size of the last part is 22 bytes before its name in the directory.
    file.writeUInt32LE(200_000, file.lastIndexOf('xl/worksheets/sheet1.xml') - 22);
    const path = join(folder, 'understated');
    await writeFile(path, file);
    let rows = 0;
    const reading = readSheet(path, { columns: 1, maxRows: 100_000 }, (some) => {
      rows += some.length;
    });
    await assert.rejects(reading, { fault: 'bomb' });
    assert.ok(rows < 10_000, `${rows} rows were read`);
  });

  test('a sheet with too many rows, or with a document type in any part, is refused', async () => {
    const three = makeWorkbook(['a', '', 'b', 'c']);
    assert.deepEqual((await read(three, { maxRows: 3 })).texts, ['a', 'b', 'c']);
    await refuses(three, 'too_many_rows', 413, { maxRows: 2 });
    const parts = workbookParts('');
    parts.set('_rels/.rels', `<!DOCTYPE x>${parts.get('_rels/.rels')}`);
    await refuses(zip(parts), 'dtd', 422);
  });
});

test('an error of the callback and the signal end the reading', async () => {
  const path = join(folder, 'sheet');
  await writeFile(path, makeWorkbook(['a']));
  const stop = new Error('enough');
  const options = { columns: 1, maxRows: 10 };
  await assert.rejects(
    readSheet(path, options, () => Promise.reject(stop)),
    stop,
  );
  await assert.rejects(
    readSheet(path, { ...options, signal: AbortSignal.abort(stop) }, () => {}),
    stop,
  );
});
