/** A cell of a sheet: its text, or the exact digits of its number (never formatted, never with an exponent). */
export type SheetCell = { text: string; numeric: boolean };

export type IdentifierKind = 'imei' | 'meid' | 'serial';

/** One device identifier as it is stored and looked up. */
export type Identifier = { serial: string; kind: IdentifierKind };

/** Why a cell holds no identifier. */
export type InvalidReason = 'check_digit' | 'zeros' | 'exponent' | 'rounded' | 'iccid' | 'eid' | 'other';

/** What one cell holds: nothing, one or several identifiers, or something unusable. */
export type CellReading =
  | { kind: 'empty' }
  | { kind: 'identifiers'; identifiers: Identifier[] }
  | { kind: 'invalid'; reason: InvalidReason };

/** The longest text that Excel itself puts into a cell; anything longer is no list of identifiers. */
const longestCell = 32_767;

/**
 * More marks on one letter than any writing has (Unicode's own bound is 30): sorting them takes the square of their
 * number. With them go the two half-wide letters that become marks.
 */
const tooManyMarks = /[\p{M}\uFF9E\uFF9F]{31}/u;
const formatOrControl = /[\p{Cf}\p{Zs}\p{Cc}]/gu;
const lineBreaks = /\r\n|[\n\v\f\r\x85\u2028\u2029]/g;
/** Stands for a line break while other control characters go; itself from the private use area. */
const lineMark = '\uE000';
/** Number text that lost its digits. Without a point or a sign it would be a maker's serial number or a MEID. */
const exponent = /^[+-]?(?:\d+\.\d*E[+-]?\d+|\d{1,3},\d+E[+-]?\d+|\d+E[+-]\d+)$/i;
const joints = /(?<=\d)[-./\u2010-\u2015\u2212]+(?=\d)/g;
const listSeparator = new RegExp(`${lineMark}*[,;|]${lineMark}*|${lineMark}+`);

/** The check digit of the first 14 digits of an IMEI (Luhn). */
export function computeCheckDigit(first14: string): string {
  let sum = 0;
  for (let i = 0; i < 14; i++) {
    const digit = first14.charCodeAt(i) - 48;
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
  const first14 = digits.slice(0, 14);
  switch (digits.length) {
    case 14:
      if (numeric && digits.startsWith('1') && computeCheckDigit(`0${digits.slice(0, 13)}`) === digits[13]) {
        return one(`0${digits}`, 'imei');
      }
      break;
    case 15:
      break;
    case 16:
      // Excel keeps 15 digits of a number and writes a zero in the place of the sixteenth.
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
  const imei = first14 + computeCheckDigit(first14);
  return digits.length === 15 && digits !== imei ? invalid('check_digit') : one(imei, 'imei');
}

function readToken(token: string, numeric: boolean): CellReading {
  if (/^\d+$/.test(token)) return readDigits(token, numeric);
  if (numeric) return invalid('other');
  if (/^[0-9A-F]{14}$/i.test(token)) return one(token.toUpperCase(), 'meid');
  if (/^(?=.*\d)(?=.*[A-Z])[0-9A-Z]{8,14}$/i.test(token)) return one(token.toUpperCase(), 'serial');
  return invalid('other');
}

/** One entry of a list: dashes, dots and slashes between digits go when that leaves one identifier. */
function readEntry(entry: string): CellReading {
  const token = entry.replace(/^['\u2019]/, '').replace(/^(\d+)\.0+$/, '$1');
  if (exponent.test(token)) return invalid('exponent');
  return readToken(token.replace(joints, ''), false);
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

/** An entry that may be several, divided by slashes; a slash inside one identifier wins. */
function readSlashed(entry: string): CellReading {
  const whole = readEntry(entry);
  if (whole.kind === 'identifiers' || !entry.includes('/')) return whole;
  const split = readList(entry.split('/'), readEntry);
  return split.kind === 'identifiers' || (whole.kind === 'invalid' && whole.reason === 'other')
    ? split
    : whole;
}

/** The text without what carries no meaning: NFKC, no spaces, no invisible characters, line breaks marked. */
function normalise(text: string): string {
  const visible = text
    .normalize('NFKC')
    .replaceAll(lineMark, '?')
    .replace(lineBreaks, lineMark)
    .replace(formatOrControl, '');
  let start = 0;
  let end = visible.length;
  while (start < end && visible[start] === lineMark) start++;
  while (end > start && visible[end - 1] === lineMark) end--;
  return visible.slice(start, end);
}

/**
 * Reads the identifiers of one cell (docs/rules.md, Identifiers). Nothing is corrected by guess:
 * a cell is read whole or it is invalid. Numbers are taken digit by digit; only text may carry separators.
 */
export function readIdentifiers(cell: SheetCell): CellReading {
  const { text, numeric } = cell;
  if (numeric) return readToken(text, true);
  if (text.length === 15 && /^\d{15}$/.test(text)) return readDigits(text, false);
  if (text.length > longestCell || tooManyMarks.test(text)) return invalid('other');
  const normal = normalise(text);
  if (normal.replace(/^['\u2019]/, '') === '') return { kind: 'empty' };
  // A decimal comma must be seen before commas divide a list.
  if (exponent.test(normal.replace(/^['\u2019]/, ''))) return invalid('exponent');
  const entries = normal.split(listSeparator);
  return entries.length === 1 ? readSlashed(normal) : readList(entries, readSlashed);
}

/**
 * Whether the first cell of a sheet names the column: no identifier, and no digit in it. Digits of every script
 * count here, so that no row of data is taken for a name.
 */
export function isHeader(cell: SheetCell): boolean {
  return !cell.numeric && !/\p{Nd}/u.test(cell.text) && readIdentifiers(cell).kind === 'invalid';
}
