import type { SheetCell } from '#shared/identifier.ts';
import { cutCellText } from '../cell-text.ts';
import { exactDigits } from '../exact-number.ts';
import { SheetError } from '../sheet-error.ts';
import { maxStrings } from './string-store.ts';
import { skipBlanks } from './xml-marks.ts';
import { decodeEscapes } from './xml-text.ts';

type SharedCell = { shared: number };
export type RawCell = SheetCell | SharedCell;
export type RawRow = { row: number; cells: (RawCell | undefined)[] };

/** The size of a worksheet in Excel: the last column is XFD. */
export const maxRows = 1_048_576;
export const maxColumns = 16_384;

/** Returns the value (`v`) of a cell by its type; undefined for an empty one. */
export function toRawCell(type: string, value: string): RawCell | undefined {
  const text = cutCellText(value);
  if (text === '') return undefined;
  if (type === 's') return { shared: sharedIndex(text) };
  if (type === 'str') return { text: decodeEscapes(text), numeric: false };
  if (type === 'b') return { text: text.trim() === '0' ? 'FALSE' : 'TRUE', numeric: false };
  const digits = type === 'n' ? exactDigits(text.trim()) : undefined;
  return digits === undefined ? { text, numeric: false } : { text: digits, numeric: true };
}

function sharedIndex(rawText: string): number {
  const index = Number(rawText);
  if (!/^\s*\d{1,9}\s*$/.test(rawText) || index >= maxStrings)
    throw new SheetError('corrupt', `shared string ${rawText}`);
  return index;
}

/** Returns the column number of a reference such as AB12 between two places; 0 for anything else. */
export function columnBetween(bytes: Buffer, start: number, end: number): number {
  let column = 0;
  for (let at = start; at < end; at++) {
    const letter = (bytes[at] ?? 0) & ~32;
    if (letter < 65 || letter > 90 || column > maxColumns) break;
    column = column * 26 + letter - 64;
  }
  return column;
}

/** Returns the whole number of up to nine digits between two places, which may begin and end with blanks; -1 for anything else. */
export function wholeBetween(bytes: Buffer, start: number, end: number): number {
  const from = skipBlanks(bytes, start);
  let number = 0;
  let at = from;
  for (; at < end; at++) {
    const digit = (bytes[at] ?? 0) - 48;
    if (digit < 0 || digit > 9) break;
    number = number * 10 + digit;
  }
  const digits = at - from;
  return digits > 0 && digits <= 9 && skipBlanks(bytes, at) === end ? number : -1;
}

/** Returns the column number of a reference such as AB12; 0 for anything else. */
export function columnOf(reference: string): number {
  return columnBetween(Buffer.from(reference), 0, reference.length);
}
