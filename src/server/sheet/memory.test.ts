import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { utils, write } from '@e965/xlsx';
import { makeCompoundFile } from '#tests/support/sheets/make-compound-file.ts';

const maxMegabytes = 300;
const megabyte = 1024 * 1024;

/** Reads every file of a folder in turn. Returns the peak memory of the process. */
const script = `
  import { readdirSync } from 'node:fs';
  import { readSheet } from '#server/sheet/read-sheet.ts';
  import { peakMegabytes } from '#tests/support/peak-memory.ts';
  const folder = process.argv[1];
  const ends = {};
  const columns = Number(process.argv[2]);
  for (const file of readdirSync(folder)) {
    let rows = 0;
    await readSheet(folder + '/' + file, { columns, maxRows: 1_000_000 }, (some) => { rows += some.length; })
      .then(() => { ends[file] = rows; }, (error) => { ends[file] = error.fault; });
  }
  console.log(JSON.stringify({ ends, megabytes: peakMegabytes() }));
`;

function readAll(files: string, columns = 5): Record<string, number | string> {
  // Without a limit, garbage fills the memory.
  const flags = ['--max-old-space-size=120', '--input-type=module'];
  const output = execFileSync(process.execPath, [...flags, '-e', script, files, String(columns)], {
    cwd: new URL('../../../', import.meta.url),
    encoding: 'utf8',
  });
  const { ends, megabytes } = JSON.parse(output) as {
    ends: Record<string, number | string>;
    megabytes: number;
  };
  assert.ok(megabytes < maxMegabytes, `${Math.round(megabytes)} MB`);
  return ends;
}

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-memory-'));
});
after(() => rm(folder, { recursive: true }));

test('no public workbook, hostile or not, takes more memory than allowed', () => {
  assert.equal(Object.keys(readAll('tests/cases/sheets')).length, 76);
});

/** Creates a workbook stream with one sheet, whose table of strings is padded to a size with unused strings. */
function largeStream(size: number): Buffer {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet([['356938030010004']]), 'S');
  const file = write(book, { bookType: 'biff8', bookSST: true, type: 'buffer' }) as Buffer;
  const start = file.indexOf(Buffer.from('0908100000060500', 'hex'));
  const records: Buffer[] = [];
  for (let at = start; records.length < 1000 && at + 4 <= file.length; ) {
    const end = at + 4 + file.readUInt16LE(at + 2);
    records.push(file.subarray(at, end));
    at = end;
    if (file.readUInt16LE(end) === 0 && file.readUInt16LE(end + 2) === 0) break;
  }
  const filler = Buffer.alloc(8228);
  filler.writeUInt16LE(0x3c, 0);
  filler.writeUInt16LE(8224, 2);
  const strings = records.findIndex((record) => record.readUInt16LE(0) === 0xfc);
  assert.ok(strings > 0);
  const added = Math.floor(size / filler.length) * filler.length;
  for (const record of records) {
    // The padding moves the sheet's offset.
    if (record.readUInt16LE(0) === 0x85) record.writeUInt32LE(record.readUInt32LE(4) + added, 4);
  }
  records.splice(strings + 1, 0, ...Array<Buffer>(added / filler.length).fill(filler));
  return Buffer.concat(records);
}

test('the memory for an .xls file is limited, in any layout of its sectors', async () => {
  const large = largeStream(120 * megabyte);
  for (const [file, scattered] of [
    ['in order.xls', false],
    ['scattered.xls', true],
  ] as const) {
    await writeFile(join(folder, file), makeCompoundFile('Workbook', large, { shift: 12, scattered }).bytes);
  }
  const { bytes, at } = makeCompoundFile('Workbook', Buffer.alloc(62 * megabyte), { shift: 12 });
  // A table with far more sectors than the file has, all of them the same, listed by a sector that refers to itself.
  const list = 1;
  for (let place = 76; place < 512; place += 4) bytes.writeUInt32LE(0, place);
  bytes.writeUInt32LE(Math.floor(bytes.length / 512), 44);
  bytes.writeUInt32LE(list, 68);
  bytes.fill(0, at(list), at(list + 1));
  bytes.writeUInt32LE(list, at(list + 1) - 4);
  await writeFile(join(folder, 'repeated.xls'), bytes);
  assert.deepEqual(readAll(folder), { 'in order.xls': 1, 'repeated.xls': 'corrupt', 'scattered.xls': 1 });
});

/** Creates a workbook stream with one sheet of so many rows and columns of numbers. */
function wideStream(rows: number, columns: number): Buffer {
  const book = utils.book_new(utils.aoa_to_sheet([[1]]), 'S');
  const file = write(book, { bookType: 'biff8', type: 'buffer' }) as Buffer;
  const start = file.indexOf(Buffer.from('0908100000060500', 'hex'));
  const sheet = file.indexOf(Buffer.from('0908100000061000', 'hex'), start);
  const numbers = Buffer.alloc(rows * columns * 18);
  for (let n = 0; n < rows * columns; n++) {
    const at = numbers.writeUInt32LE(0x000e_0203, n * 18);
    numbers.writeUInt16LE(Math.floor(n / columns), at);
    numbers.writeUInt16LE(n % columns, at + 2);
    numbers.writeDoubleLE(n + 0.5, at + 6);
  }
  return Buffer.concat([file.subarray(start, sheet + 20), numbers, Buffer.from('0a000000', 'hex')]);
}

test('a wide .xls sheet of numbers takes no more memory than allowed', async () => {
  const wide = await mkdtemp(join(folder, 'wide-'));
  await writeFile(join(wide, 'wide.xls'), makeCompoundFile('Workbook', wideStream(65_536, 32)).bytes);
  assert.deepEqual(readAll(wide, 32), { 'wide.xls': 65_536 });
});
