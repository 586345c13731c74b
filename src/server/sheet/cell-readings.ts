import { type CellReading, readIdentifiers, type SheetCell } from '#shared/identifier.ts';
import { minCachedLength } from './shared-cells.ts';
import { SheetError } from './sheet-error.ts';

/** The maximum characters of long texts per sheet: a few seconds of work, more than a wordy sheet of a million rows has. */
const maxCharacters = 100_000_000;
/** The maximum number of identifiers per sheet, which are all held in memory. A million rows with four each have fewer. */
const maxIdentifiers = 5_000_000;

/**
 * Parses the cells of one sheet. A long shared text is parsed once. Bounds the characters and the identifiers of the
 * sheet.
 */
export class CellReadings {
  readonly #cache = new WeakMap<SheetCell, CellReading>();
  #characters = 0;
  #identifiers = 0;

  /** @throws SheetError for a sheet with too much text or too many identifiers */
  read(cell: SheetCell): CellReading {
    const reading = this.#look(cell);
    if (reading.kind !== 'identifiers') return reading;
    this.#identifiers += reading.identifiers.length;
    if (this.#identifiers > maxIdentifiers)
      throw new SheetError('bomb', `more than ${maxIdentifiers} identifiers`);
    return reading;
  }

  #look(cell: SheetCell): CellReading {
    const { length } = cell.text;
    if (length < minCachedLength) return readIdentifiers(cell);
    const cached = this.#cache.get(cell);
    if (cached) return cached;
    this.#characters += length;
    if (this.#characters > maxCharacters)
      throw new SheetError('bomb', `more than ${maxCharacters} characters in long texts`);
    const reading = readIdentifiers(cell);
    this.#cache.set(cell, reading);
    return reading;
  }
}
