import { type CellReading, readIdentifiers, type SheetCell } from '#shared/identifier.ts';
import { SheetError } from './sheet-error.ts';
import { TextParser } from './text-parser.ts';

/** The maximum characters of different texts per sheet: about 25 seconds of work, and more than 200 in each row. */
const maxCharacters = 250_000_000;
/** The maximum number of identifiers per sheet, which are all held in memory. A million rows with four each have fewer. */
const maxIdentifiers = 5_000_000;

/** Parses the cells of one sheet. Bounds the characters and the identifiers of the sheet. */
export class CellReadings {
  readonly #texts = new TextParser(readIdentifiers, maxCharacters);
  #identifiers = 0;

  /** @throws SheetError for a sheet with too much text or too many identifiers */
  read(cell: SheetCell): CellReading {
    const reading = this.#texts.read(cell);
    if (!reading) throw new SheetError('bomb', `more than ${maxCharacters} characters in texts`);
    if (reading.kind !== 'identifiers') return reading;
    this.#identifiers += reading.identifiers.length;
    if (this.#identifiers > maxIdentifiers)
      throw new SheetError('bomb', `more than ${maxIdentifiers} identifiers`);
    return reading;
  }
}
