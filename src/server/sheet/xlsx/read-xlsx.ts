import { SharedCells } from '../shared-cells.ts';
import { SheetError } from '../sheet-error.ts';
import type { SheetOptions, SheetReader, SheetRow, TakeRows } from '../sheet-row.ts';
import { readDayStyles } from './day-styles.ts';
import { findMacros } from './find-macros.ts';
import type { RawRow } from './raw-cell.ts';
import { type DayCells, SheetPart } from './sheet-part.ts';
import { maxStrings, StringStore } from './string-store.ts';
import { TextRun } from './text-run.ts';
import { findWorkbookParts, type WorkbookParts } from './workbook-part.ts';
import { readXml } from './xml-reader.ts';
import { openPackage, type Package, type Part } from './zip-parts.ts';

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
    const found = await findWorkbookParts(parts, options.sheet);
    const workbook = { ...found, sheet: options.sheetPart ?? found.sheet };
    const { date1904, sheet: sheetPart } = workbook;
    const from = { date1904, sheetPart, hasMacros: await findMacros(parts) };
    let strings: SharedCells | undefined;
    const days = await findDays(parts, workbook, options);
    for await (const rows of readRows(parts, workbook, options, days)) {
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

/** Finds the cells that are days; none unless columns with days are asked for. */
async function findDays(
  parts: Package,
  { styles, date1904 }: WorkbookParts,
  { dayColumns = [] }: SheetOptions,
): Promise<DayCells | undefined> {
  if (dayColumns.length === 0) return undefined;
  const isStyled = styles !== undefined && parts.has(styles);
  const dayStyles = isStyled ? await readDayStyles(parts.read(styles)) : new Set<string>();
  return { columns: new Set(dayColumns), styles: dayStyles, date1904 };
}

async function* readRows(parts: Package, workbook: WorkbookParts, options: SheetOptions, days?: DayCells) {
  const { columns, firstColumn = 1, lastRow = Number.POSITIVE_INFINITY } = options;
  const part = parts.read(workbook.sheet);
  const sheet = new SheetPart({ first: firstColumn, count: columns }, part.maxMarkup, days);
  let used = 0;
  const take = () => {
    const rows = sheet.take();
    used += rows.reduce((sum, { cells }) => sum + countValues(cells), 0);
    return rows.filter(({ row }) => row <= lastRow);
  };
  for await (const piece of part.pieces) {
    options.signal?.throwIfAborted();
    sheet.write(piece);
    yield take();
    if (sheet.row > lastRow) return;
  }
  sheet.end();
  yield take();
  // Tells of values that get lost between their cells and the rows, but not of cells that the parser does not see.
  if (used !== sheet.values) throw new SheetError('corrupt', `${used} of ${sheet.values} values were used`);
}

function countValues(cells: RawRow['cells']): number {
  return cells.reduce((sum, cell) => (cell ? sum + 1 : sum), 0);
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

/**
 * Reads the table of shared strings.
 * @param needed 1 for each needed index; the others become empty texts. Undefined: all are needed.
 */
async function readSharedStrings(part: Part, needed: Uint8Array | undefined): Promise<StringStore> {
  const strings = new StringStore();
  const run = new TextRun();
  let count = 0;
  let isNeeded = false;
  await readXml(part, {
    open(name) {
      if (name !== 'si') return run.open(name);
      isNeeded = !needed || needed[count] === 1;
      run.start();
    },
    close(name) {
      if (name !== 'si') return run.close(name);
      strings.add(run.finish());
      run.start();
      count++;
    },
    text(bytes, start, end, literal) {
      if (isNeeded) run.add(bytes, start, end, literal);
    },
  });
  return strings;
}

function resolveRow({ row, cells }: RawRow, strings: SharedCells): SheetRow {
  return { row, cells: cells.map((cell) => (cell && 'shared' in cell ? strings.get(cell.shared) : cell)) };
}
