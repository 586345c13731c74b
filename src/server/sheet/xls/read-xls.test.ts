import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type BookType, CFB, utils, type WorkBook, write } from '@e965/xlsx';
import { readSheet } from '../read-sheet.ts';
import { SheetError } from '../sheet-error.ts';
import type { SheetRow } from '../sheet-row.ts';
import { openCompoundFile } from './compound-file.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-xls-'));
});
after(() => rm(folder, { recursive: true }));

async function read(file: Buffer, columns = 1) {
  const path = join(folder, 'sheet');
  await writeFile(path, file);
  const rows: SheetRow[] = [];
  let date1904: boolean | undefined;
  await readSheet(path, { columns, maxRows: 1000 }, (some, sheet) => {
    rows.push(...some);
    date1904 = sheet.date1904;
  });
  return { rows, date1904, texts: rows.map((row) => row.cells[0]?.text) };
}

const refuses = (file: Buffer, fault: string) =>
  assert.rejects(read(file), (error) => {
    assert.ok(error instanceof SheetError, String(error));
    assert.equal(error.fault, fault, error.message);
    return true;
  });

function book(...sheets: unknown[][][]): WorkBook {
  const made = utils.book_new();
  sheets.forEach((rows, i) => {
    utils.book_append_sheet(made, utils.aoa_to_sheet(rows), `S${i}`);
  });
  return made;
}

/** SheetJS writes Excel 3 as well, although its types leave that out. */
const oldTypes = ['biff2', 'biff3', 'biff4'] as BookType[];

const save = (made: WorkBook, bookType: BookType = 'biff8') =>
  write(made, { bookType, bookSST: bookType === 'biff8', type: 'buffer' }) as Buffer;

describe('an .xls sheet', () => {
  for (const bookType of ['biff8', 'biff5'] as const) {
    test(`a sheet in ${bookType} gives texts, exact numbers, booleans and errors of the requested columns`, async () => {
      const rows = [
        ['IMEI', 'second', 'third'],
        [],
        [356938030010004, 45983.25],
        ['012345000000104', null, 'x'],
        [true],
      ];
      const made = await read(save(book(rows), bookType), 2);
      assert.deepEqual(
        made.rows.map(({ row, cells }) => [row, ...cells]),
        [
          [1, { text: 'IMEI', numeric: false }, { text: 'second', numeric: false }],
          [3, { text: '356938030010004', numeric: true }, { text: '45983.25', numeric: true }],
          [4, { text: '012345000000104', numeric: false }],
          [5, { text: 'TRUE', numeric: false }],
        ],
      );
      assert.equal(made.date1904, false);
    });
  }

  test('the first visible sheet is read, and reports whether dates count from 1904', async () => {
    const made = book([['hidden']], [['visible']], [['third']]);
    made.Workbook = { Sheets: [{ Hidden: 2 }, { Hidden: 0 }, { Hidden: 0 }], WBProps: { date1904: true } };
    const { texts, date1904 } = await read(save(made));
    assert.deepEqual(texts, ['visible']);
    assert.equal(date1904, true);
    made.Workbook = { Sheets: [{ Hidden: 1 }, { Hidden: 1 }, { Hidden: 2 }] };
    await refuses(save(made), 'corrupt');
  });

  test('a sheet may contain long texts, and more texts than one record can hold', async () => {
    const texts = Array.from({ length: 900 }, (_, i) => `${i} ${'\u00e9\u20ac'.repeat((i * 37) % 120)}`);
    const { texts: found } = await read(save(book(texts.map((text) => [text, `second ${text}`]))));
    assert.deepEqual(found, texts);
  });
});

describe('an .xls file', () => {
  const good = () => save(book([['356938030010004']]));

  test('two values of one cell are refused, because one of them would be lost', async () => {
    const file = save(book([[356938030010004], [45983.25]]));
    // A number in row 1 and column 0, counted from 0, whose row becomes that of the number before.
    const at = file.indexOf(Buffer.from('03020e0001000000', 'hex'));
    assert.ok(at > 0);
    file.writeUInt16LE(0, at + 4);
    await refuses(file, 'corrupt');
  });

  test('a file that is truncated anywhere is refused', async () => {
    const file = save(book(Array.from({ length: 300 }, (_, i) => [`text ${i}`])));
    for (let size = 16; size < file.length - 512; size += 1024) {
      await refuses(file.subarray(0, size), 'corrupt');
    }
  });

  test('a file with a password is refused', async () => {
    // A FilePass record after the first record, in place of one that is not needed.
    const file = good();
    const source = {
      length: file.length,
      read: (at: number, length: number) => file.subarray(at, at + length),
    };
    const start = file.indexOf(openCompoundFile(source).open('workbook').read(0, 512));
    const second = start + 4 + file.readUInt16LE(start + 2);
    file.writeUInt16LE(0x002f, second);
    await refuses(file, 'encrypted');
  });

  test('a file of Excel 2, 3 or 4 is refused as such', async () => {
    for (const old of oldTypes) {
      await refuses(save(book([['356938030010004']]), old), 'old_excel');
    }
  });

  test('a workbook within another document of the file is not the one that is read', async () => {
    const streamOf = (text: string) => {
      const workbook = CFB.find(CFB.read(save(book([[text]])), { type: 'buffer' }), 'Workbook');
      return Buffer.from(workbook?.content ?? []);
    };
    const file = CFB.utils.cfb_new();
    CFB.utils.cfb_add(file, '/Embedded/Workbook', streamOf('embedded'));
    await refuses(CFB.write(file, { type: 'buffer' }) as Buffer, 'unsupported');
    CFB.utils.cfb_add(file, '/Workbook', streamOf('own'));
    const { texts } = await read(CFB.write(file, { type: 'buffer' }) as Buffer);
    assert.deepEqual(texts, ['own']);
  });

  test('each entry of a directory that leads in a circle is read once', async () => {
    const file = good();
    const root = file.indexOf(Buffer.from('Root Entry', 'utf16le'));
    const child = file.readUInt32LE(root + 76);
    file.writeUInt32LE(child, root + child * 128 + 68);
    assert.deepEqual((await read(file)).texts, ['356938030010004']);
  });

  test('a file without a workbook, or with one of another kind, is refused', async () => {
    const file = good();
    const name = Buffer.from('Workbook', 'utf16le');
    file.set(Buffer.from('WordDocu', 'utf16le'), file.indexOf(name));
    await refuses(file, 'unsupported');
  });
});
