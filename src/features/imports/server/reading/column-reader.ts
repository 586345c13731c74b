import { maxCorrectionLength } from '#features/imports/corrections.shared.ts';
import { CellReadings } from '#server/sheet/cell-readings.ts';
import { SheetError } from '#server/sheet/sheet-error.ts';
import type { SheetRow } from '#server/sheet/sheet-row.ts';
import { cutText } from '#shared/cut-text.ts';
import { type CellReading, type IdentifierKind, type InvalidReason, isHeader } from '#shared/identifier.ts';

/** A row to import. If its cell holds no identifier, it has a `reason`, and the cell's text is the serial. */
export type ImportedRow = {
  /** From 1, without gaps. */
  position: number;
  sheetRow: number;
  serial: string;
  kind: IdentifierKind | null;
  original: string | null;
  reason: InvalidReason | null;
  /** All cells that were read of the row. */
  cells: SheetRow['cells'];
};
type IdentifierReading = Extract<CellReading, { kind: 'identifiers' }>;
export type DuplicateRow = { row: number; serial: string; firstRow: number; cells: SheetRow['cells'] };
export type InvalidCell = { row: number; value: string; reason: InvalidReason };

/** The maximum number of duplicates and of invalid cells in the answer; the report has all. */
const maxListed = 100;
const maxOriginalLength = 1000;
const maxInvalidLength = maxCorrectionLength;

/**
 * Reads one column of a sheet (docs/rules.md, Sheets): skips a header and empty cells, keeps invalid cells, and imports the
 * first of equal serials.
 */
export class ColumnReader {
  headerSkipped = false;
  /** The sheet's row with the skipped header. */
  headerRow: number | null = null;
  /** The number of cells that were not empty. */
  cells = 0;
  imported = 0;
  duplicateCount = 0;
  invalidCount = 0;
  /** The number of invalid cells for which a correction was read. */
  corrected = 0;
  readonly duplicates: DuplicateRow[] = [];
  readonly invalid: InvalidCell[] = [];
  readonly #maxRows: number;
  readonly #corrections: Map<number, string>;
  #readings = new CellReadings();
  /** The first sheet row of each serial. */
  readonly #firstRows = new Map<string, number>();

  /**
   * @param maxRows the maximum number of cells that are not empty, and of serials: a cell may hold several
   * @param corrections texts that replace invalid cells, by the row of the sheet; used ones are removed
   */
  constructor(maxRows: number, corrections = new Map<number, string>()) {
    this.#maxRows = maxRows;
    this.#corrections = corrections;
  }

  /**
   * Reads the next rows of the sheet.
   * @returns the rows to import and the duplicates, in order
   * @throws SheetError for too many rows
   */
  read(rows: SheetRow[]): { imported: ImportedRow[]; duplicates: DuplicateRow[] } {
    const imported: ImportedRow[] = [];
    const duplicates: DuplicateRow[] = [];
    for (const { row, cells } of rows) {
      const [cell] = cells;
      if (!cell) continue;
      let reading: CellReading = this.#readings.read(cell);
      if (reading.kind === 'empty') continue;
      this.cells += 1;
      if (this.cells > this.#maxRows)
        throw new SheetError('too_many_rows', `more than ${this.#maxRows} cells`);
      if (this.cells === 1 && isHeader(cell)) {
        this.headerSkipped = true;
        this.headerRow = row;
        continue;
      }
      if (reading.kind === 'invalid') reading = this.#readCorrection(row) ?? reading;
      if (reading.kind === 'invalid') {
        imported.push(this.#keepInvalid({ row, cells }, cell.text, reading.reason));
        continue;
      }
      let repeated: Set<string> | undefined;
      // One text for all identifiers of the cell, which may be thousands.
      let changed: string | undefined;
      for (const { serial, kind } of reading.identifiers) {
        const firstRow = this.#firstRows.get(serial);
        if (firstRow === undefined) {
          this.#firstRows.set(serial, row);
          if (serial !== cell.text) changed ??= toStored(cell.text, maxOriginalLength);
          const original = changed ?? null;
          imported.push({ ...this.#nextPosition(row), serial, kind, original, reason: null, cells });
        } else if (!repeated?.has(serial)) {
          // A serial counts once per cell, even if the cell repeats it.
          repeated ??= new Set();
          repeated.add(serial);
          duplicates.push(this.#noteDuplicate({ row, serial, firstRow, cells }));
        }
      }
    }
    return { imported, duplicates };
  }

  /** Reads the text that replaces an invalid cell. One without an identifier leaves the cell as it is. */
  #readCorrection(row: number): IdentifierReading | undefined {
    const text = this.#corrections.get(row);
    if (text === undefined) return undefined;
    this.#corrections.delete(row);
    const reading = this.#readings.read({ text, numeric: false });
    if (reading.kind !== 'identifiers') return undefined;
    this.corrected += 1;
    return reading;
  }

  #keepInvalid({ row, cells }: SheetRow, text: string, reason: InvalidReason): ImportedRow {
    const value = toStored(text, maxInvalidLength);
    this.invalidCount += 1;
    if (this.invalid.length < maxListed) this.invalid.push({ row, value, reason });
    return { ...this.#nextPosition(row), serial: value, kind: null, original: null, reason, cells };
  }

  #noteDuplicate(duplicate: DuplicateRow): DuplicateRow {
    this.duplicateCount += 1;
    if (this.duplicateCount > this.#maxRows)
      throw new SheetError('too_many_rows', `more than ${this.#maxRows} duplicates`);
    if (this.duplicates.length < maxListed) this.duplicates.push(duplicate);
    return duplicate;
  }

  #nextPosition(sheetRow: number): { position: number; sheetRow: number } {
    this.imported += 1;
    if (this.imported > this.#maxRows)
      throw new SheetError('too_many_rows', `more than ${this.#maxRows} serials`);
    return { position: this.imported, sheetRow };
  }
}

/** Returns a cell's text as the database can store it, cut to so many characters. */
function toStored(text: string, maxLength: number): string {
  const storable = text.replaceAll('\0', '').toWellFormed();
  return storable.length > maxLength ? `${cutText(storable, maxLength)}\u2026` : storable;
}
