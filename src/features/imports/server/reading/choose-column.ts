import { CellReadings } from '#server/sheet/cell-readings.ts';
import { readSheet } from '#server/sheet/read-sheet.ts';
import type { SheetRow } from '#server/sheet/sheet-row.ts';
import { maxColumns, maxRows } from '#server/sheet/xlsx/raw-cell.ts';
import { cutText } from '#shared/cut-text.ts';
import { isHeader } from '#shared/identifier.ts';
import { m } from '#shared/texts/messages.js';
import type { CellKinds } from './cell-kinds.ts';
import { columnLetter, columnNumber } from './column-letter.ts';

/** The number of columns that are sampled first: more than usual sheets have. */
const sampledColumns = 64;
/** The number of rows that are sampled, which takes a fraction of a second. */
const sampledRows = 2000;
/** In characters. */
const maxHeadLength = 100;
const maxHeads = 1000;

/** Counts of a column in the rows that were sampled. */
export type ColumnSample = {
  letter: string;
  /** The text of the first cell. */
  head: string;
  /** Cells with one identifier or several. */
  serials: number;
  /** Cells that are an IMEI with a correct check digit, without any correction. */
  imeis: number;
};

/**
 * Reads the columns that have a value in the first rows of a sheet; in all rows if column A has no serial in the first. If
 * none of the first columns has serials, adds some later ones with serials in the first rows.
 * @throws SheetError
 */
export async function sampleColumns(
  path: string,
  sheet: string | null,
  kinds: CellKinds,
): Promise<ColumnSample[]> {
  const part = { columns: sampledColumns, lastRow: sampledRows };
  const first = await sampleRows(path, sheet, kinds, part);
  if (hasSerials(first, columnLetter(1))) return first;
  const samples = await sampleRows(path, sheet, kinds, { ...part, lastRow: maxRows });
  if (samples.some(({ serials }) => serials > 0)) return samples;
  const all = await sampleRows(path, sheet, kinds, { ...part, columns: maxColumns });
  return [...samples, ...all.filter(({ serials }) => serials > 0).slice(0, sampledColumns)];
}

async function sampleRows(
  path: string,
  sheet: string | null,
  kinds: CellKinds,
  part: { columns: number; lastRow: number },
): Promise<ColumnSample[]> {
  const samples = new Map<number, ColumnSample>();
  await readFirstRows(path, sheet, part, ({ cells }) => {
    for (const [column, cell] of cells.entries()) {
      if (!cell) continue;
      const kind = kinds.find(cell);
      if (kind === 'empty') continue;
      const earlier = samples.get(column);
      const sample = earlier ?? {
        letter: columnLetter(column + 1),
        head: cutText(cell.text, maxHeadLength),
        serials: 0,
        imeis: 0,
      };
      samples.set(column, sample);
      if (!earlier && isHeader(cell)) continue;
      if (kind !== 'invalid') sample.serials += 1;
      if (kind === 'imeis') sample.imeis += 1;
    }
  });
  return [...samples].sort(([a], [b]) => a - b).map(([, sample]) => sample);
}

function hasSerials(samples: ColumnSample[], letter: string): boolean {
  return samples.some((sample) => sample.letter === letter && sample.serials > 0);
}

/** Chooses the first column with serials; A if none has one. */
export function chooseColumn(samples: ColumnSample[]): string {
  return samples.find(({ serials }) => serials > 0)?.letter ?? columnLetter(1);
}

/** Returns the column with the most IMEIs, if it has more of them than the chosen one; null otherwise. */
export function suggestColumn(samples: ColumnSample[], chosen: string): string | null {
  const own = samples.find(({ letter }) => letter === chosen)?.imeis ?? 0;
  const best = samples.reduce<ColumnSample | undefined>(
    (found, sample) => (sample.imeis > (found?.imeis ?? 0) ? sample : found),
    undefined,
  );
  return best && best.letter !== chosen && best.imeis > own ? best.letter : null;
}

/** The heads of a sheet by the letter of their column, and the letters of columns with a value. */
export type Heads = { heads: Record<string, string>; letters: Set<string> };

/**
 * Reads the texts of the header row, if there is one, without that of the column with the serials. Columns that are required
 * are looked for in all rows if the first have no value there.
 * @param requiredLetters letters of columns
 * @throws SheetError
 */
export type ReadHeads = (requiredLetters: string[]) => Promise<Heads>;

/** Creates a reader of the heads of a sheet, which reads no rows again for columns that it has read. */
export function createHeadsReader(path: string, sheet: string | null, column: string): ReadHeads {
  let cached: Heads | undefined;
  return async (requiredLetters) => {
    cached ??= await readHeadsWithin(path, sheet, column, { columns: maxColumns, lastRow: sampledRows });
    if (!hasAll(cached, requiredLetters)) {
      const columns = Math.max(...[column, ...requiredLetters].map(columnNumber));
      const all = await readHeadsWithin(path, sheet, column, { columns, lastRow: maxRows });
      cached = { heads: { ...all.heads, ...cached.heads }, letters: cached.letters.union(all.letters) };
    }
    return cached;
  };
}

function hasAll({ letters }: Heads, requiredLetters: string[]): boolean {
  return requiredLetters.every((letter) => letters.has(letter));
}

async function readHeadsWithin(
  path: string,
  sheet: string | null,
  column: string,
  part: { columns: number; lastRow: number },
): Promise<Heads> {
  const letters = new Set<string>();
  let first: SheetRow | undefined;
  const readings = new CellReadings();
  const serials = columnNumber(column) - 1;
  await readFirstRows(path, sheet, part, (row) => {
    for (const [nth, cell] of row.cells.entries()) if (cell) letters.add(columnLetter(nth + 1));
    const cell = row.cells[serials];
    if (!first && cell && readings.read(cell).kind !== 'empty') first = row;
  });
  const head = first?.cells[serials];
  const hasHeads = head !== undefined && isHeader(head);
  const heads = (hasHeads ? (first?.cells ?? []) : []).flatMap((cell, nth) => {
    const text = cutText(cell?.text.trim() ?? '', maxHeadLength);
    return text === '' || nth === serials ? [] : [[columnLetter(nth + 1), text] as const];
  });
  return { heads: Object.fromEntries(heads.slice(0, maxHeads)), letters };
}

/** The column headers that identify the results export. */
const exportHeaders = [
  ...[m.server_column_no, m.server_column_serial, m.server_column_type, m.server_column_status],
  ...[m.server_column_warranty, m.server_column_coverage_start, m.server_column_coverage_end],
];

/**
 * Finds the serials' column of our own results export, by its headers in either language.
 * @returns undefined for any other sheet
 * @throws SheetError
 */
export async function findExportColumn(path: string, sheet: string | null): Promise<string | undefined> {
  const rows: SheetRow[] = [];
  await readFirstRows(path, sheet, { columns: sampledColumns, lastRow: 1 }, (row) => void rows.push(row));
  const texts = rows[0]?.cells.map((cell) => cell?.text.trim()) ?? [];
  for (const locale of ['en', 'id'] as const) {
    if (exportHeaders.every((header) => texts.includes(header({}, { locale })))) {
      return columnLetter(texts.indexOf(m.server_column_serial({}, { locale })) + 1);
    }
  }
  return undefined;
}

async function readFirstRows(
  path: string,
  sheet: string | null,
  { columns, lastRow }: { columns: number; lastRow: number },
  take: (row: SheetRow) => void,
): Promise<void> {
  const options = { columns, maxRows: lastRow, lastRow, ...(sheet !== null && { sheet }) };
  await readSheet(path, options, (rows) => rows.forEach(take));
}
