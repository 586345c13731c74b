/**
 * A cell of a sheet: its text, or the exact digits of its number (never formatted, never with an exponent). A formula without
 * a result, as programs write it that do not compute, has `=` as its text.
 */
export type SheetCell = { text: string; numeric: boolean; noResult?: true };

export type IdentifierKind = 'imei' | 'meid' | 'serial';

/** A device identifier as it is stored and looked up. */
export type Identifier = { serial: string; kind: IdentifierKind };

/** The reasons why a cell holds no identifier. */
export type InvalidReason =
  | 'check_digit'
  | 'zeros'
  | 'exponent'
  | 'rounded'
  | 'iccid'
  | 'eid'
  | 'name'
  | 'no_result'
  | 'other';

/** The content of a cell: nothing, one or several identifiers, or something unusable. */
export type CellReading =
  | { kind: 'empty' }
  | { kind: 'identifiers'; identifiers: Identifier[] }
  | { kind: 'invalid'; reason: InvalidReason };

/** The most characters in a cell of Excel; a longer text is not parsed. */
const maxCellLength = 32_767;

/**
 * More combining marks on one letter than any script uses (Unicode's limit is 30). Normalising takes quadratic time in
 * their number. Includes the two half-width letters that NFKC turns into marks.
 */
const tooManyMarks = /[\p{M}\uFF9E\uFF9F]{31}/u;
const spaces = /[\p{Zs}\t]+/gu;
const formatOrControl = /(?!\t)[\p{Cf}\p{Cc}]/gu;
/** A word of three or more letters apart from digits. */
const word = /(?<![\p{L}\p{N}])\p{L}{3,}(?![\p{L}\p{N}])/gu;
/** A word of three or more letters, which digits may follow at the end of the text. */
const nameWord = /(?<![\p{L}\p{N}])\p{L}{3,}(?=[^\p{L}\p{N}]|\p{N}* ?$)/gu;
const lineBreaks = /\r\n|[\n\v\f\r\x85\u2028\u2029]/g;
/**
 * Replaces line breaks while other control characters are removed; a private-use character, which is removed from the
 * input.
 */
const lineMark = '\uE000';
/** A number as text that lost its digits. Without a point or a sign it would be a maker's serial number or a MEID. */
const exponent = /^[+-]?(?:\d+\.\d*E[+-]?\d+|\d{1,3},\d+E[+-]?\d+|\d+E[+-]\d+)$/i;
const joints = /(?<=\d)[-./\u2010-\u2015\u2212]+(?=\d)/g;
const listSeparator = new RegExp(`${lineMark}* ?[,;|] ?${lineMark}*|${lineMark}+`);

/** Computes the Luhn check digit of an IMEI from its first 14 digits. */
export function computeCheckDigit(digits: string): string {
  let sum = 0;
  for (let i = 0; i < 14; i++) {
    const digit = digits.charCodeAt(i) - 48;
    const doubled = digit * 2;
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return String((10 - (sum % 10)) % 10);
}

const invalid = (reason: InvalidReason): CellReading => ({ kind: 'invalid', reason });
const one = (serial: string, kind: IdentifierKind): CellReading => ({
  kind: 'identifiers',
  identifiers: [{ serial, kind }],
});

function readDigits(digits: string, numeric: boolean): CellReading {
  switch (digits.length) {
    case 14:
      if (numeric && digits.startsWith('1') && computeCheckDigit(`0${digits}`) === digits[13]) {
        return one(`0${digits}`, 'imei');
      }
      break;
    case 15:
      break;
    case 16:
      // Excel keeps 15 digits of a number and replaces the sixteenth by zero.
      if (numeric && digits.endsWith('0')) return invalid('rounded');
      break;
    case 19:
    case 20:
      return invalid(/[1-9]/.test(digits) ? 'iccid' : 'zeros');
    case 32:
      return invalid(/[1-9]/.test(digits) ? 'eid' : 'zeros');
    default:
      return invalid(/[1-9]/.test(digits) ? 'other' : 'zeros');
  }
  if (digits.startsWith('00')) return invalid('zeros');
  const checkDigit = computeCheckDigit(digits);
  if (digits.length === 15) return checkDigit === digits[14] ? one(digits, 'imei') : invalid('check_digit');
  return one(digits.slice(0, 14) + checkDigit, 'imei');
}

function readToken(token: string, numeric: boolean): CellReading {
  if (/^\d+$/.test(token)) return readDigits(token, numeric);
  if (numeric) return invalid('other');
  if (/^[0-9A-F]{14}$/i.test(token)) return one(token.toUpperCase(), 'meid');
  if (/^(?=.*\d)(?=.*[A-Z])[0-9A-Z]{8,14}$/i.test(token)) return one(token.toUpperCase(), 'serial');
  return invalid('other');
}

/** Returns a text without its spaces and without Excel's mark of a text. */
const withoutSpaces = (text: string) => text.replaceAll(' ', '').replace(/^['\u2019]/, '');

/**
 * Reads one entry of a list. Removes spaces, and dashes, dots and slashes between digits, if that leaves one identifier.
 * Without its spaces a name followed by a digit would be a maker's serial number.
 */
function readEntry(entry: string): CellReading {
  const token = withoutSpaces(entry).replace(/^(\d+)\.0+$/, '$1');
  if (exponent.test(token)) return invalid('exponent');
  const reading = readToken(token.replace(joints, ''), false);
  const isSerial = reading.kind === 'identifiers' && reading.identifiers[0]?.kind === 'serial';
  return isSerial && (entry.match(nameWord)?.length ?? 0) > 1 ? invalid('name') : reading;
}

function readList(entries: string[], read: (entry: string) => CellReading): CellReading {
  const identifiers: Identifier[] = [];
  for (const entry of entries) {
    const reading = read(entry);
    if (reading.kind !== 'identifiers') return invalid(reading.kind === 'invalid' ? reading.reason : 'other');
    identifiers.push(...reading.identifiers);
  }
  return { kind: 'identifiers', identifiers };
}

/** Reads an entry that may hold several identifiers divided by slashes; a slash inside one identifier wins. */
function readSlashed(entry: string): CellReading {
  const whole = readEntry(entry);
  if (whole.kind === 'identifiers' || !entry.includes('/')) return whole;
  const split = readList(entry.split('/'), readEntry);
  return split.kind === 'identifiers' || (whole.kind === 'invalid' && whole.reason === 'other')
    ? split
    : whole;
}

/** Normalises a text: NFKC, single spaces, none beside line breaks, which are marked, no invisible characters. */
function normalise(text: string): string {
  const visible = text
    .normalize('NFKC')
    .replaceAll(lineMark, '?')
    .replace(lineBreaks, lineMark)
    .replace(formatOrControl, '')
    .replace(spaces, ' ')
    .replace(/ ?\uE000 ?/g, lineMark);
  let start = 0;
  let end = visible.length;
  while (start < end && visible[start] === lineMark) start++;
  while (end > start && visible[end - 1] === lineMark) end--;
  return visible.slice(start, end);
}

/**
 * Reads the identifiers of a cell (docs/rules.md, Identifiers). Never guesses: the whole cell is readable or it is
 * invalid. Only text may contain separators.
 */
export function readIdentifiers(cell: SheetCell): CellReading {
  const { text, numeric } = cell;
  if (cell.noResult) return invalid('no_result');
  if (numeric) return readToken(text, true);
  if (text.length === 15 && /^\d{15}$/.test(text)) return readDigits(text, false);
  if (text.length > maxCellLength || tooManyMarks.test(text)) return invalid('other');
  const normal = normalise(text);
  const whole = withoutSpaces(normal);
  if (whole === '') return { kind: 'empty' };
  // Before the list is split at commas: this comma may be a decimal one.
  if (exponent.test(whole)) return invalid('exponent');
  const entries = normal.split(listSeparator);
  return entries.length === 1 ? readSlashed(normal) : readList(entries, readSlashed);
}

/**
 * Returns whether the first cell of a sheet is a header: with a digit of any script, a text that has a word apart from its
 * digits; without one, a text that is no identifier.
 */
export function isHeader(cell: SheetCell): boolean {
  if (cell.numeric || cell.noResult) return false;
  const hasDigit = /\p{Nd}/u.test(cell.text);
  return hasDigit ? cell.text.match(word) !== null : readIdentifiers(cell).kind === 'invalid';
}
