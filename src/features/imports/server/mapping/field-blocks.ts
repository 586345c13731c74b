import { toValue } from '#features/devices/fields.shared.ts';
import type { BlockRow } from '#features/devices/server/fields/field-values.service.ts';
import { toCopyLine } from '#server/db/bulk/copy-line.ts';
import type { SheetRow } from '#server/sheet/sheet-row.ts';
import type { SheetCell } from '#shared/identifier.ts';
import type { DuplicateRow, ImportedRow } from '../reading/column-reader.ts';

/** Serials per line of `imported_fields`: the register stores them in one transaction. */
export const rowsPerBlock = 1000;

/** Collects the values of a sheet's own columns as lines of `imported_fields`. */
export class FieldBlocks {
  readonly #companyCode: string;
  readonly #ticketId: number;
  readonly #keys: string[];
  /** The rows of the block by serial: the register stores each serial once at a time. */
  readonly #block = new Map<string, BlockRow>();
  /** The own columns without a value so far of each serial that lacks some: one bit for each column, to save memory. */
  readonly #lacking = new Map<string, number>();

  /** @param keys the own columns, in the order of a row's cells behind that of the serial */
  constructor(companyCode: string, ticketId: number, keys: string[]) {
    this.#companyCode = companyCode;
    this.#ticketId = ticketId;
    this.#keys = keys;
  }

  /**
   * Adds the values of rows. Empty cells leave a value as it is, and of equal serials the first value counts.
   * @returns the lines that are complete
   */
  add(imported: ImportedRow[], duplicates: DuplicateRow[]): string {
    if (this.#keys.length === 0) return '';
    let lines = '';
    for (const { cells, serial, reason } of imported)
      if (reason === null) lines += this.#addRow(serial, 2 ** this.#keys.length - 1, cells);
    for (const { cells, serial } of duplicates)
      lines += this.#addRow(serial, this.#lacking.get(serial) ?? 0, cells);
    return lines;
  }

  /** Returns the line of the rows that are left; nothing without any. */
  end(): string {
    if (this.#block.size === 0) return '';
    const rows = JSON.stringify([...this.#block.values()]);
    this.#block.clear();
    // In quotes, because `null` may be a key.
    const keys = `{${this.#keys.map((key) => `"${key}"`).join(',')}}`;
    return toCopyLine([this.#companyCode, this.#ticketId, keys, rows]);
  }

  /**
   * Adds the values of a row for a serial.
   * @param wanted the bits of the own columns that the serial lacks so far
   * @returns the line of the block if it is complete
   */
  #addRow(serial: string, wanted: number, cells: SheetRow['cells']): string {
    const values: BlockRow = this.#block.get(serial) ?? [serial, ...this.#keys.map(() => null)];
    let lacking = wanted;
    for (let nth = 0; nth < this.#keys.length; nth++) {
      const bit = 1 << nth;
      if ((wanted & bit) === 0) continue;
      const value = readCell(cells[nth + 1]);
      if (value === '') continue;
      values[nth + 1] = value;
      lacking -= bit;
    }
    if (lacking === 0) this.#lacking.delete(serial);
    else this.#lacking.set(serial, lacking);
    if (lacking === wanted) return '';
    this.#block.set(serial, values);
    return this.#block.size === rowsPerBlock ? this.end() : '';
  }
}

/** Excel's errors as cells show them; the last ones are of formulas that newer versions know. */
const excelErrors =
  /^#(?:N\/A|DIV\/0!|NAME\?|NULL!|NUM!|REF!|VALUE!|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|BUSY!|UNKNOWN!|GETTING_DATA)$/;

/** Returns a cell's text as a value. An error of Excel and a formula without a result say nothing about the device. */
function readCell(cell: SheetCell | undefined): string {
  if (!cell || cell.noResult || excelErrors.test(cell.text)) return '';
  return toValue(cell.text);
}
