import { SharedCells } from '../shared-cells.ts';
import { SheetError } from '../sheet-error.ts';
import type { SheetOptions, SheetReader, SheetRow, TakeRows } from '../sheet-row.ts';
import type { RawRow } from './raw-cell.ts';
import { readSharedStrings } from './shared-strings.ts';
import { SheetPart } from './sheet-part.ts';
import { maxStrings } from './string-store.ts';
import { findWorkbookParts, type WorkbookParts } from './workbook-part.ts';
import { openPackage, type Package } from './zip-parts.ts';

/** The needed strings of a larger table are collected first, to save memory. */
const smallTableBytes = 64 * 1024 * 1024;

export const xlsxReader: SheetReader = { read: readXlsx, list: listXlsxSheets };

/**
 * Reads the chosen worksheet of an .xlsx file. Shared strings are read when the first one is needed.
 * @throws SheetError
 */
async function readXlsx(path: string, options: SheetOptions, take: TakeRows): Promise<void> {
  const parts = await openPackage(path);
  try {
    const workbook = await findWorkbookParts(parts, options.sheet);
    const from = { date1904: workbook.date1904, sheetPart: workbook.sheet };
    let strings: SharedCells | undefined;
    for await (const rows of readRows(parts, workbook, options)) {
      if (!strings && rows.some(hasShared)) {
        const store = await loadStrings(parts, workbook, options);
        strings = new SharedCells((index) => store.get(index));
      }
      const table = strings;
      await take(table ? rows.map((row) => resolveRow(row, table)) : (rows as SheetRow[]), from);
    }
  } finally {
    await parts.close();
  }
}

async function listXlsxSheets(path: string): Promise<string[]> {
  const parts = await openPackage(path);
  try {
    return (await findWorkbookParts(parts)).sheets;
  } finally {
    await parts.close();
  }
}

async function* readRows(parts: Package, workbook: WorkbookParts, options: SheetOptions) {
  const { lastRow = Number.POSITIVE_INFINITY } = options;
  const part = parts.read(workbook.sheet);
  const sheet = new SheetPart(options.columns, part.maxMarkup);
  for await (const piece of part.pieces) {
    options.signal?.throwIfAborted();
    sheet.write(piece);
    const rows = sheet.take();
    const wanted = rows.filter(({ row }) => row <= lastRow);
    if (wanted.length > 0) yield wanted;
    if (wanted.length < rows.length) return;
  }
  sheet.end();
  const rows = sheet.take().filter(({ row }) => row <= lastRow);
  if (rows.length > 0) yield rows;
}

function hasShared({ cells }: RawRow): boolean {
  return cells.some((cell) => cell && 'shared' in cell);
}

async function loadStrings(parts: Package, workbook: WorkbookParts, options: SheetOptions) {
  const path = workbook.sharedStrings;
  if (path === undefined) throw new SheetError('corrupt', 'no table of shared strings');
  if (parts.sizeOf(path) <= smallTableBytes) return readSharedStrings(parts.read(path), undefined);
  const needed = new Uint8Array(maxStrings);
  for await (const rows of readRows(parts, workbook, options)) {
    for (const { cells } of rows) {
      for (const cell of cells) if (cell && 'shared' in cell) needed[cell.shared] = 1;
    }
  }
  return readSharedStrings(parts.read(path), needed);
}

function resolveRow({ row, cells }: RawRow, strings: SharedCells): SheetRow {
  return { row, cells: cells.map((cell) => (cell && 'shared' in cell ? strings.get(cell.shared) : cell)) };
}
