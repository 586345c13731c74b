import { longestFieldValue } from '#features/devices/fields.shared.ts';
import { toCopyLine } from '#server/db/bulk/copy-line.ts';
import type { SheetRow } from '#server/sheet/sheet-row.ts';
import type { ImportedRow } from '../reading/column-reader.ts';

/** Serials per line of `imported_fields`: the register stores them in one transaction. */
export const rowsPerBlock = 1000;

/** Collects the values of a sheet's own columns as lines of `imported_fields`. */
export class FieldBlocks {
  readonly #companyCode: string;
  readonly #ticketId: number;
  readonly #keys: string[];
  #rows: string[] = [];

  /** @param keys the own columns, in the order of a row's cells behind that of the serial */
  constructor(companyCode: string, ticketId: number, keys: string[]) {
    this.#companyCode = companyCode;
    this.#ticketId = ticketId;
    this.#keys = keys;
  }

  /**
   * Adds the values of imported rows. Empty cells leave a value as it is.
   * @param rows the rows of the sheet that these came from
   * @returns the lines that are complete
   */
  add(imported: ImportedRow[], rows: SheetRow[]): string {
    if (this.#keys.length === 0) return '';
    let lines = '';
    let at = 0;
    for (const { sheetRow, serial, reason } of imported) {
      while (rows[at] !== undefined && rows[at]?.row !== sheetRow) at += 1;
      if (reason !== null) continue;
      const fields = this.#readValues(rows[at]);
      if (!fields) continue;
      this.#rows.push(JSON.stringify({ serial, fields }));
      if (this.#rows.length === rowsPerBlock) lines += this.end();
    }
    return lines;
  }

  /** Returns the line of the rows that are left; nothing without any. */
  end(): string {
    if (this.#rows.length === 0) return '';
    const line = toCopyLine([this.#companyCode, this.#ticketId, `[${this.#rows.join(',')}]`]);
    this.#rows = [];
    return line;
  }

  #readValues(row: SheetRow | undefined): Record<string, string> | undefined {
    const values: Record<string, string> = {};
    let isEmpty = true;
    this.#keys.forEach((key, index) => {
      const value = toValue(row?.cells[index + 1]?.text ?? '');
      if (value === '') return;
      values[key] = value;
      isEmpty = false;
    });
    return isEmpty ? undefined : values;
  }
}

/** Returns a cell's text as a value: without control characters and spaces around it, cut to the longest value. */
function toValue(text: string): string {
  return text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, longestFieldValue)
    .toWellFormed();
}
