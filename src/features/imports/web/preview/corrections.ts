import { type CellReading, readIdentifiers } from '#shared/identifier.ts';

/** Texts that a user typed over invalid cells, and the cells' own, by the name of the cell: `A17`. */
export type TypedCells = Readonly<Record<string, { text: string; value: string }>>;

/** Texts that an upload reads in place of invalid cells, by the name of the cell. */
export type Corrections = Readonly<Record<string, string>>;

export function readCorrection(text: string): CellReading {
  return readIdentifiers({ text, numeric: false });
}

/** Returns the text of a cell in one line. An input would remove line breaks, and so join the serials between them. */
export function toOneLine(value: string): string {
  const lines = value.split(/[\r\n]+/).map((line) => line.trim().replace(/[,;|]$/, ''));
  return lines.filter((line) => line !== '').join(',');
}

/** Returns whether a typed text is the cell's own, in one line. */
export function isUnchanged(text: string, value: string): boolean {
  return toOneLine(text) === toOneLine(value);
}

/**
 * Returns those of the typed texts that hold an identifier. A text that is typed and taken back is no correction: a number
 * that lost a digit could be read as a text.
 */
export function listCorrections(typed: TypedCells): Corrections {
  const usable = Object.entries(typed).filter(
    ([, { text, value }]) => !isUnchanged(text, value) && readCorrection(text).kind === 'identifiers',
  );
  return Object.fromEntries(usable.map(([cell, { text }]) => [cell, text]));
}

/** Returns the number of rows that corrections make: a text may hold several identifiers, and repeat those of another. */
export function countCorrected(corrections: Corrections): number {
  const serials = Object.values(corrections)
    .map(readCorrection)
    .flatMap((reading) => (reading.kind === 'identifiers' ? reading.identifiers : []))
    .map(({ serial }) => serial);
  return new Set(serials).size;
}
