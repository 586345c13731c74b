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
const charactersWithoutThread = 65_536;

/** Returns whether a source has few texts and, because a text may hold thousands of identifiers, few characters. */
export function isShortList(source: RowSource): boolean {
  if (source.kind !== 'texts' || source.texts.length > textsWithoutThread) return false;
  const values = source.fields?.flatMap((fields) => Object.values(fields ?? {})) ?? [];
  return countCharacters([...source.texts, ...values]) <= charactersWithoutThread;
}

const countCharacters = (texts: string[]) => texts.reduce((sum, { length }) => sum + length, 0);

/** Returns the letter of the column to read; undefined for texts. @throws SheetError */
export async function findColumn(source: RowSource): Promise<string | undefined> {
  if (source.kind === 'texts') return undefined;
  return source.column ?? (await findExportColumn(source.path, source.sheet)) ?? columnLetter(1);
}

/**
 * Reads the cells of a source as rows, in order and few identifiers at a time: the cell with the serial, then those of own
 * columns. Texts count as rows from 1 on.
 * @param column the letter of a file's column
 * @param more the letters of other columns of a file; the keys of own columns of texts
 * @param take gets the rows, and of an .xlsx file the path of their part and whether it has macros
 * @throws SheetError, or the error of `take`
 */
export async function readRows(
  source: RowSource,
  column: string | undefined,
  more: string[],
  take: (rows: SheetRow[], from: ReadPart) => Promise<void>,
): Promise<void> {
  const takeParts = async (rows: SheetRow[], from: ReadPart) => {
    for (const part of splitRows(rows)) await take(part, from);
  };
  if (source.kind === 'texts') {
    for (let from = 0; from < source.texts.length; from += textsAtOnce) {
      const texts = source.texts.slice(from, from + textsAtOnce);
      await takeParts(
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
    ...(source.sheet !== null && { sheet: source.sheet }),
  };
  const pick = ({ row, cells }: SheetRow) => ({ row, cells: columns.map((one) => cells[one - firstColumn]) });
  await readSheet(source.path, options, (rows, from) => takeParts(rows.map(pick), from));
}

/** The characters of serials that are read at once, unless one cell has more: more than a thousand usual rows have. */
const charactersAtOnce = 65_536;

/** Splits rows, because what is made of thousands of cells with thousands of identifiers each is too long for one text. */
function splitRows(rows: SheetRow[]): SheetRow[][] {
  const parts: SheetRow[][] = [[]];
  let characters = 0;
  for (const row of rows) {
    const length = row.cells[0]?.text.length ?? 0;
    if (characters + length > charactersAtOnce && characters > 0) {
      parts.push([]);
      characters = 0;
    }
    characters += length;
    parts.at(-1)?.push(row);
  }
  return parts;
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

/**
 * Hashes the request for a list that the product puts together: its serials may be others in a repeat.
 * @param count the number of serials that the caller has confirmed; it is left out if there is none, as by `hashImport`
 */
export function hashOwnList(companyCode: string, count: number | undefined): Buffer {
  return createHash('sha256')
    .update(JSON.stringify({ ownList: companyCode, count }))
    .digest();
}
