import { open } from 'node:fs/promises';
import type { SheetCell } from '#shared/identifier.ts';
import { builtInDayFormats, showsDay } from '../days/day-format.ts';
import { toDayCell } from '../days/sheet-day.ts';
import { SharedCells } from '../shared-cells.ts';
import { SheetError } from '../sheet-error.ts';
import type { SheetOptions, SheetReader, SheetRow, TakeRows } from '../sheet-row.ts';
import { type BiffCell, readCells, toNumberCell } from './biff-cells.ts';
import { type BiffHead, readHead } from './biff-head.ts';
import { listRecords, readSegments, recordType } from './biff-records.ts';
import { readSharedStrings, readText } from './biff-strings.ts';
import { type ByteSource, fileBytes } from './byte-source.ts';
import { type CompoundFile, openCompoundFile } from './compound-file.ts';

type Cells = Map<number, (BiffCell | undefined)[]>;

/** The largest file in bytes: all of it is read, and its string table twice. */
const maxBytes = 128 * 1024 * 1024;
const rowsAtOnce = 1000;

export const xlsReader: SheetReader = { read: readXls, list: listXlsSheets };

/**
 * Reads the chosen worksheet of an .xls file (BIFF5 or BIFF8). Only the requested cells and their strings are
 * held in memory.
 * @throws SheetError
 */
async function readXls(path: string, options: SheetOptions, take: TakeRows): Promise<void> {
  await openWorkbook(path, async (stream) => {
    const head = readHead(stream);
    const sheet = chooseSheet(head, options.sheet);
    const found = collectCells(stream, head, sheet, options);
    const resolve = readStrings(stream, found, head);
    const rows = [...found].sort(([a], [b]) => a - b);
    for (let i = 0; i < rows.length; i += rowsAtOnce) {
      options.signal?.throwIfAborted();
      const some = rows.slice(i, i + rowsAtOnce);
      await take(
        some.map(([row, cells]): SheetRow => ({ row: row + 1, cells: cells.map(resolve) })),
        head,
      );
    }
  });
}

async function listXlsSheets(path: string): Promise<string[]> {
  let names: string[] = [];
  await openWorkbook(path, (stream) => {
    names = readHead(stream).sheets.map(({ name }) => name);
  });
  return names;
}

async function openWorkbook(path: string, use: (stream: ByteSource) => void | Promise<void>): Promise<void> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    if (size > maxBytes) throw new SheetError('bomb', `an .xls file over ${maxBytes} bytes`);
    await use(openStream(openCompoundFile(fileBytes(handle.fd, size))));
  } finally {
    await handle.close();
  }
}

function openStream(file: CompoundFile): ByteSource {
  if (file.has('encryptedpackage')) throw new SheetError('encrypted', 'an encrypted .xlsx file');
  const name = ['workbook', 'book'].find((stream) => file.has(stream));
  if (!name) throw new SheetError('unsupported', 'a compound file without a workbook');
  return file.open(name);
}

/** Returns the offset of the named worksheet, or of the first. */
function chooseSheet({ sheets }: BiffHead, name: string | undefined): number {
  const sheet = name === undefined ? sheets[0] : sheets.find((other) => other.name === name);
  if (!sheet) throw new SheetError('no_sheet', 'no visible worksheet of this name');
  return sheet.at;
}

function collectCells(
  stream: ByteSource,
  head: BiffHead,
  sheet: number,
  { columns, firstColumn = 1, lastRow = Number.POSITIVE_INFINITY, dayColumns = [] }: SheetOptions,
): Cells {
  const rows: Cells = new Map();
  const days = dayColumns.length > 0 ? readDayStyles(stream, head) : new Set<number>();
  for (const { row, column, style, cell } of readCells(head, listRecords(stream, sheet))) {
    const index = column + 1 - firstColumn;
    if (index < 0 || index >= columns || row >= lastRow || cell === undefined) continue;
    const cells = rows.get(row) ?? [];
    // One of them would be lost.
    if (cells[index] !== undefined)
      throw new SheetError('corrupt', `two values in column ${column + 1} of row ${row + 1}`);
    const isDay = days.has(style) && dayColumns.includes(column + 1);
    cells[index] = isDay && typeof cell === 'number' ? toDayCell(toNumberCell(cell), head.date1904) : cell;
    rows.set(row, cells);
  }
  return rows;
}

/** Lists the cell styles of a workbook stream that show a day, by their number. */
function readDayStyles(stream: ByteSource, head: BiffHead): Set<number> {
  const isDay = new Map([...builtInDayFormats].map((id) => [id, true]));
  const styles = new Set<number>();
  let count = 0;
  for (const record of listRecords(stream, 0)) {
    const { type, data } = record;
    if (type === recordType.format && data.length > 2)
      isDay.set(data.readUInt16LE(0), showsDay(readText(head, record, 2, head.version === 8 ? 2 : 1)));
    if (type === recordType.style && data.length >= 4) {
      if (isDay.get(data.readUInt16LE(2))) styles.add(count);
      count += 1;
    }
  }
  return styles;
}

/** Reads the shared strings that cells need. @returns a function that makes a sheet's cell of one of the file */
function readStrings(
  stream: ByteSource,
  found: Cells,
  head: BiffHead,
): (cell: BiffCell | undefined) => SheetCell | undefined {
  const wanted = new Set<number>();
  for (const cells of found.values()) {
    for (const cell of cells) if (typeof cell === 'object' && 'shared' in cell) wanted.add(cell.shared);
  }
  const strings =
    head.sharedStrings === undefined || wanted.size === 0
      ? new Map<number, string>()
      : readSharedStrings(readSegments(stream, head.sharedStrings), wanted);
  const shared = new SharedCells((index) => strings.get(index));
  return (cell) => {
    if (typeof cell === 'number') return toNumberCell(cell);
    return cell && 'shared' in cell ? shared.get(cell.shared) : cell;
  };
}
