import { TextParser } from '#server/sheet/text-parser.ts';
import { readIdentifiers, type SheetCell } from '#shared/identifier.ts';

/** The maximum characters of different texts: at most 20 seconds of work. */
const maxCharacters = 100_000_000;

/** The content of a cell: `imeis` has at least one IMEI as 15 digits, `serials` only other identifiers. */
type CellKind = 'empty' | 'invalid' | 'serials' | 'imeis';

/**
 * Classifies the cells of all columns of a workbook, of which an upload reads one. Texts beyond a limit count as invalid
 * instead of failing, because they may be in columns that no upload reads.
 */
export class CellKinds {
  readonly #texts = new TextParser(parse, maxCharacters);

  find(cell: SheetCell): CellKind {
    return this.#texts.read(cell) ?? 'invalid';
  }
}

function parse(cell: SheetCell): CellKind {
  const reading = readIdentifiers(cell);
  if (reading.kind !== 'identifiers') return reading.kind;
  // Other forms of IMEIs may be any number. A set, because a cell may hold thousands.
  const whole = new Set(cell.text.match(/\d{15}/g));
  return reading.identifiers.some(({ kind, serial }) => kind === 'imei' && whole.has(serial))
    ? 'imeis'
    : 'serials';
}
