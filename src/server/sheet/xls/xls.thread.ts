import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { read, type WorkSheet } from '@e965/xlsx';
import type { SheetCell } from '#shared/identifier.ts';
import { exactDigits } from '../exact-number.ts';
import { asSheetError, SheetError } from '../sheet-error.ts';
import type { SheetRow } from '../sheet-row.ts';
import { extractSheet } from './biff-extract.ts';
import { openCompoundFile } from './compound-file.ts';
import type { XlsAnswer, XlsTask } from './read-xls.ts';

type XlsCell = { t: string; v?: unknown; w?: string } | undefined;

/** Excel's own words for its error values, by their number. */
const errorWords = new Map<unknown, string>([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
]);

async function readWorkbook({ path, columns }: XlsTask): Promise<XlsAnswer> {
  const file = openCompoundFile(await readFile(path));
  if (file.has('encryptedpackage')) throw new SheetError('encrypted', 'an encrypted .xlsx file');
  const name = ['workbook', 'book'].find((stream) => file.has(stream));
  if (!name) throw new SheetError('unsupported', 'a compound file without a workbook');
  const { workbook, date1904 } = extractSheet(file.read(name), columns);
  const { Sheets } = read(workbook, {
    type: 'buffer',
    dense: true,
    cellText: false,
    cellFormula: false,
    cellHTML: false,
  });
  const sheet = Object.values(Sheets)[0];
  if (!sheet) throw new SheetError('corrupt', 'a worksheet that cannot be read');
  return { rows: toRows(sheet, columns), date1904 };
}

function toRows(sheet: WorkSheet, columns: number): SheetRow[] {
  const rows: SheetRow[] = [];
  (sheet['!data'] ?? []).forEach((line: XlsCell[], index: number) => {
    const cells = Array.from({ length: Math.min(columns, line.length) }, (_, column) => toCell(line[column]));
    rows.push({ row: index + 1, cells });
  });
  return rows;
}

function toCell(cell: XlsCell): SheetCell | undefined {
  if (!cell || cell.v === undefined || cell.v === '') return undefined;
  if (cell.t === 'n') return { text: exactDigits(String(cell.v)) ?? String(cell.v), numeric: true };
  if (cell.t === 'b') return { text: cell.v ? 'TRUE' : 'FALSE', numeric: false };
  if (cell.t === 'e') return { text: errorWords.get(cell.v) ?? '#N/A', numeric: false };
  return { text: String(cell.v), numeric: false };
}

parentPort?.postMessage(
  await readWorkbook(workerData as XlsTask).catch((error: unknown): XlsAnswer => {
    const { family, message } = asSheetError(error);
    return { fault: family, message };
  }),
);
