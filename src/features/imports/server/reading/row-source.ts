import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readSheet } from '#server/sheet/read-sheet.ts';
import type { SheetRow } from '#server/sheet/sheet-row.ts';
import { ownValue } from '#shared/own-value.ts';
import type { Mapping } from '../mapping/read-fields.ts';
import type { Corrections } from '../upload/read-corrections.ts';
import { findExportColumn } from './choose-column.ts';
import { columnLetter, columnNumber } from './column-letter.ts';

/** The cells of an import: a column of an uploaded file, or a list of texts. */
export type RowSource =
  | {
      kind: 'file';
      path: string;
      /** The name of a worksheet; null for the first visible one. */
      sheet: string | null;
      /** A column's letter; null for column A, or the serials' column of our own export. */
      column: string | null;
      /** Texts that replace invalid cells; null for none. */
      corrections: Corrections | null;
      /** The own columns that columns fill; null where heads decide. */
      fields: Mapping | null;
    }
  | {
      kind: 'texts';
      texts: string[];
      /** The values of own columns of each text, if any text has some. */
      fields?: (Record<string, string> | undefined)[];
    };

/** The part of an .xlsx file from which rows came, and whether the file has macros; empty for an .xls file and for texts. */
type ReadPart = { sheetPart?: string; hasMacros?: boolean };

const textsAtOnce = 1000;

/** The longest list of texts that is read without a thread, whose start takes longer than such a list. */
const textsWithoutThread = 1000;

export function isShortList(source: RowSource): boolean {
  return source.kind === 'texts' && source.texts.length <= textsWithoutThread;
}

/** Returns the letter of the column to read; undefined for texts. @throws SheetError */
export async function findColumn(source: RowSource): Promise<string | undefined> {
  if (source.kind === 'texts') return undefined;
  return source.column ?? (await findExportColumn(source.path, source.sheet)) ?? columnLetter(1);
}

/**
 * Reads the cells of a source as rows, in order: the cell with the serial, then those of own columns. Texts count as
 * rows from 1 on.
 * @param column the letter of a file's column
 * @param more the letters of other columns of a file; the keys of own columns of texts
 * @param take gets the rows, and of an .xlsx file the path of their part and whether it has macros
 * @throws SheetError, or the error of `take`
 */
export async function readRows(
  source: RowSource,
  column: string | undefined,
  more: string[],
  maxRows: number,
  take: (rows: SheetRow[], from: ReadPart) => Promise<void>,
): Promise<void> {
  if (source.kind === 'texts') {
    for (let from = 0; from < source.texts.length; from += textsAtOnce) {
      const texts = source.texts.slice(from, from + textsAtOnce);
      await take(
        texts.map((text, i) => ({
          row: from + i + 1,
          cells: [text, ...more.map((key) => ownValue(source.fields?.[from + i] ?? {}, key) ?? '')].map(
            toTextCell,
          ),
        })),
        {},
      );
    }
    return;
  }
  const columns = [column ?? columnLetter(1), ...more].map(columnNumber);
  const firstColumn = Math.min(...columns);
  const options = {
    columns: Math.max(...columns) - firstColumn + 1,
    firstColumn,
    dayColumns: columns.slice(1),
    maxRows,
    ...(source.sheet !== null && { sheet: source.sheet }),
  };
  const pick = ({ row, cells }: SheetRow) => ({ row, cells: columns.map((one) => cells[one - firstColumn]) });
  await readSheet(source.path, options, (rows, from) => take(rows.map(pick), from));
}

const toTextCell = (text: string) => ({ text, numeric: false });

/** The choices of an upload that its hash covers. */
type Choices = { ticketNumber: number | null; freshDays: number | null; askAgain: boolean };

/**
 * Hashes the cells and choices of an import, to tell a repeat from another upload under the same key. Choices that were not
 * made are left out, so that hashes of older releases still match.
 */
export async function hashImport(
  source: RowSource,
  { ticketNumber, freshDays, askAgain }: Choices,
): Promise<Buffer> {
  const hash = createHash('sha256');
  if (source.kind === 'texts') {
    hash.update(JSON.stringify(source.texts));
    if (source.fields) hash.update(JSON.stringify({ fields: source.fields }));
  } else {
    for await (const bytes of createReadStream(source.path)) hash.update(bytes);
    if (source.sheet !== null || source.column !== null)
      hash.update(JSON.stringify([source.sheet, source.column]));
    if (source.corrections !== null) hash.update(JSON.stringify(source.corrections));
    if (source.fields !== null) hash.update(JSON.stringify({ fields: source.fields }));
  }
  if (ticketNumber !== null) hash.update(JSON.stringify({ ticketNumber }));
  if (freshDays !== null) hash.update(JSON.stringify({ freshDays }));
  if (askAgain) hash.update(JSON.stringify({ askAgain }));
  return hash.digest();
}

/** Hashes the request for a list that the product puts together: its serials may be others in a repeat. */
export function hashOwnList(companyCode: string): Buffer {
  return createHash('sha256')
    .update(JSON.stringify({ ownList: companyCode }))
    .digest();
}
