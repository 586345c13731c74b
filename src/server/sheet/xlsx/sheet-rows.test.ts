import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { worksheetXml } from '#tests/support/make-workbook.ts';
import { writtenSheets } from '#tests/support/written-sheets.ts';
import { SheetError } from '../sheet-error.ts';
import { PlainRows } from './plain-rows.ts';
import type { RawRow } from './raw-cell.ts';
import { SheetPart } from './sheet-part.ts';
import { SheetRows } from './sheet-rows.ts';
import { findWorkbookParts } from './workbook-part.ts';
import { openPackage } from './zip-parts.ts';

const fixtures = new URL('../../../../tests/cases/sheets/', import.meta.url).pathname;
/** SHEETS names another folder of workbooks, for a look at more of them. */
const folder = process.env.SHEETS ?? fixtures;
const mostMarkup = 12_000_000;
/** The same sheets in every run; SEED names others. */
const seed = Number(process.env.SEED ?? 1);
const numRuns = Number(process.env.RUNS ?? 300);

type Reading = { rows: RawRow[]; fault: string | undefined };

type Pieces = Iterable<Buffer> | AsyncIterable<Buffer>;
type Reader = { write(piece: Buffer): void; end(): void; take(): RawRow[] };

function parser(columns: number): Reader {
  const part = new SheetPart(columns, mostMarkup);
  return {
    write: (piece) => part.write(piece),
    end: () => part.end(),
    take: () => part.rows.splice(0),
  };
}

/** What is read until the end or a fault. */
async function read(pieces: Pieces, reader: Reader): Promise<Reading> {
  const rows: RawRow[] = [];
  let fault: string | undefined;
  try {
    for await (const piece of pieces) {
      reader.write(piece);
      rows.push(...reader.take());
    }
    reader.end();
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    fault = error.family;
  }
  return { rows: [...rows, ...reader.take()], fault };
}

/** Cuts bytes into pieces, at places counted round and round. */
function cut(bytes: Buffer, places: number[]): Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
}

async function assertSame(xml: Buffer, places: number[], columns: number): Promise<void> {
  const parsed = await read([xml], parser(columns));
  const ours = await read(cut(xml, places), new SheetRows(columns, mostMarkup));
  assert.deepEqual(ours, parsed);
}

async function withSheet<T>(path: string, use: (pieces: Pieces) => Promise<T>): Promise<T> {
  const parts = await openPackage(path);
  try {
    const { sheet } = await findWorkbookParts(parts);
    return await use(parts.read(sheet).pieces);
  } finally {
    await parts.close();
  }
}

for (const writer of ['exceljs-stream', 'hucre', 'libreoffice-text', 'openpyxl-write-only', 'sheetjs']) {
  test(`all rows of ${writer}.xlsx are read as bytes`, async () => {
    const xml = await withSheet(join(fixtures, `${writer}.xlsx`), async (pieces) => {
      const read: Buffer[] = [];
      for await (const piece of pieces) read.push(piece);
      return Buffer.concat(read);
    });
    const rows = xml.subarray(xml.indexOf('<sheetData>') + '<sheetData>'.length);
    const taken: RawRow[] = [];
    assert.equal(new PlainRows(1).read(rows, taken), rows.lastIndexOf('</row>') + '</row>'.length);
    assert.ok(taken.length > 1);
  });
}

describe('rows read as bytes are those that the parser reads', () => {
  for (const file of readdirSync(folder).filter((name) => /\.(xlsx|xlsm|xls)$/.test(name))) {
    test(`in ${file}`, async () => {
      const readFile = (reader: Reader) => withSheet(join(folder, file), (pieces) => read(pieces, reader));
      for (const columns of [1, 5]) {
        const [ours, parsed] = await Promise.allSettled([
          readFile(new SheetRows(columns, mostMarkup)),
          readFile(parser(columns)),
        ]);
        assert.deepEqual(ours, parsed);
      }
    });
  }

  test('wherever a sheet is cut into pieces', async () => {
    const rows = [
      '<row r="1" spans="1:3"><c r="A1" s="1" t="str"><v>\u20ac &amp; \u{1F600}</v></c><c r="C1" t="b"><v>1</v></c></row>',
      '\n <row r="2"/><row r="4"><c r="B4"><v>3.5E3</v></c><c r="F4" t="inlineStr"><is><t>></t></is></c></row>',
      '<row r="5"><c r="A5" t="inlineStr"><is><t xml:space="preserve"> x_x000D_</t></is></c></row>',
      "<row r='6'><c r='A6'><!-- </row> --><v>7</v></c></row>",
      '<row r="7"><c t="s" r="A7"><v>12</v></c></row>',
    ];
    const xml = Buffer.from(`<?xml version="1.0"?>${worksheetXml(rows.join(''))}`);
    const parsed = await read([xml], parser(3));
    assert.equal(parsed.rows.length, 5);
    for (let place = 0; place <= xml.length; place++) {
      assert.deepEqual(await read(cut(xml, [place, place + 7]), new SheetRows(3, mostMarkup)), parsed);
    }
  });

  test('however a sheet is written', async () => {
    await fc.assert(
      fc.asyncProperty(
        writtenSheets,
        fc.array(fc.nat(), { maxLength: 4 }),
        fc.integer({ min: 1, max: 4 }),
        (xml, places, columns) => assertSame(Buffer.from(xml), places, columns),
      ),
      { seed, numRuns },
    );
  });

  test('where a sheet is damaged, if both take it', async () => {
    const damage = fc.record({ at: fc.nat(), remove: fc.nat(4), add: fc.constantFrom(...debris) });
    await fc.assert(
      fc.asyncProperty(writtenSheets, damage, fc.nat(), async (xml, { at, remove, add }, place) => {
        const start = at % xml.length;
        // What the parser makes of a missing quote depends on where its pieces end.
        fc.pre(!/["']/.test(xml.slice(start, start + remove)));
        const damaged = Buffer.from(xml.slice(0, start) + add + xml.slice(start + remove));
        const parsed = await read([damaged], parser(2));
        const ours = await read(cut(damaged, [place]), new SheetRows(2, mostMarkup));
        if (parsed.fault === undefined && ours.fault === undefined)
          assert.deepEqual(ours, parsed, damaged.toString());
      }),
      { seed, numRuns },
    );
  });
});

test('rows of a sheet: one within another is refused, since its end would be that of both', async () => {
  const nested = '<row><c><v>1</v><row><c><v>2</v></c></row></c><c><v>3</v></c></row>';
  const { rows, fault } = await read([Buffer.from(worksheetXml(nested))], new SheetRows(3, mostMarkup));
  assert.deepEqual({ rows, fault }, { rows: [], fault: 'corrupt' });
});

const debris = [
  '',
  '<',
  '>',
  '/',
  '</row>',
  '</c>',
  '<row>',
  '<c>',
  '&',
  '=',
  ' ',
  '<!--',
  '-->',
  '\0',
  '<sheetData>',
];
