import { type CellReading, readIdentifiers, type SheetCell } from '#shared/identifier.ts';
import { SheetError } from './sheet-error.ts';

const longText = 200;
/** Some seconds of work. A sheet of a million rows has less, however wordy it is. */
const mostCharacters = 100_000_000;
/** Each is looked for among all others. The longest list of devices with four identifiers each has less. */
const mostIdentifiers = 5_000_000;

/**
 * Reads the cells of one sheet. A long text that several cells share is looked at once, of long texts only so many
 * characters, and of all cells only so many identifiers as a sheet that people made could have.
 */
export class CellReadings {
  readonly #known = new WeakMap<SheetCell, CellReading>();
  #characters = 0;
  #identifiers = 0;

  /** @throws SheetError for a sheet with too much text, or too many identifiers */
  read(cell: SheetCell): CellReading {
    const reading = this.#look(cell);
    if (reading.kind !== 'identifiers') return reading;
    this.#identifiers += reading.identifiers.length;
    if (this.#identifiers > mostIdentifiers)
      throw new SheetError('bomb', `more than ${mostIdentifiers} identifiers`);
    return reading;
  }

  #look(cell: SheetCell): CellReading {
    const { length } = cell.text;
    if (length < longText) return readIdentifiers(cell);
    const known = this.#known.get(cell);
    if (known) return known;
    this.#characters += length;
    if (this.#characters > mostCharacters)
      throw new SheetError('bomb', `more than ${mostCharacters} characters in long texts`);
    const reading = readIdentifiers(cell);
    this.#known.set(cell, reading);
    return reading;
  }
}
