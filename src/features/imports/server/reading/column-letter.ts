import { maxColumns } from '#server/sheet/xlsx/raw-cell.ts';

/** Returns the letter of a column, counted from 1: 1 is A, 28 is AB. */
export function columnLetter(column: number): string {
  let letters = '';
  for (let left = column; left > 0; left = Math.floor((left - 1) / 26)) {
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters;
  }
  return letters;
}

/** Returns the number of a column's letter, counted from 1. */
export function columnNumber(letters: string): number {
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);
}

/** Returns whether a text is the letter of a column, in upper case. */
export function isColumnLetter(text: string): boolean {
  return /^[A-Z]{1,3}$/.test(text) && columnNumber(text) <= maxColumns;
}
