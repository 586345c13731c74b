import { open } from 'node:fs/promises';
import { workbookBeginnings } from '#shared/workbook-beginnings.ts';
import { asSheetError, SheetError } from './sheet-error.ts';
import type { SheetOptions, SheetReader, SheetRow, TakeRows } from './sheet-row.ts';
import { xlsReader } from './xls/read-xls.ts';
import { xlsxReader } from './xlsx/read-xlsx.ts';

/**
 * Reads the chosen, or the first visible sheet of an .xlsx or .xls file, row by row. The content decides the format, never the name.
 * Cells are raw: texts as stored, numbers as exact digits, days as serial numbers unless `dayColumns` has their column.
 *
 * Blocks its thread, so call it in a worker thread.
 * @throws SheetError for an unreadable file, or the error of `take` or `signal`
 */
export async function readSheet(path: string, options: SheetOptions, take: TakeRows): Promise<void> {
  const reader = await chooseReader(path);
  const { maxRows = Number.POSITIVE_INFINITY } = options;
  let count = 0;
  let failure: unknown;
  const takeCounted: TakeRows = async (rows, from) => {
    const filled = rows.filter(hasValue);
    count += filled.length;
    if (count > maxRows) throw new SheetError('too_many_rows', `more than ${maxRows} rows`);
    try {
      if (filled.length > 0) await take(filled, from);
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  try {
    await reader.read(path, options, takeCounted);
  } catch (error) {
    if (failure !== undefined) throw failure;
    options.signal?.throwIfAborted();
    throw asSheetError(error);
  }
}

/**
 * Lists the names of the visible worksheets of an .xlsx or .xls file, in order.
 * @throws SheetError for an unreadable file
 */
export async function listSheets(path: string): Promise<string[]> {
  const reader = await chooseReader(path);
  try {
    return await reader.list(path);
  } catch (error) {
    throw asSheetError(error);
  }
}

function hasValue({ cells }: SheetRow): boolean {
  return cells.some((cell) => cell !== undefined);
}

/** Chooses the reader by the first bytes: zip for .xlsx, compound file for .xls and encrypted .xlsx. */
async function chooseReader(path: string): Promise<SheetReader> {
  const { xlsx, xls, oldExcel } = workbookBeginnings;
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0);
    const magic = buffer.toString('hex', 0, bytesRead);
    if (magic.startsWith(xlsx)) return xlsxReader;
    if (magic === xls) return xlsReader;
    if (oldExcel.some((bytes) => magic.startsWith(bytes)))
      throw new SheetError('old_excel', 'a workbook before BIFF5');
    throw new SheetError('unsupported', 'neither a zip file nor a compound file');
  } finally {
    await file.close();
  }
}
