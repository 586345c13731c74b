import { mostCharacters } from './cell-text.ts';

/** Each part is told from the next by its first character, so that nothing is tried twice. */
const decimal = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * The exact digits of a number as a workbook writes it, without exponent and without a trailing ".0"; digit by
 * digit, since a double in between would round what is longer.
 * @returns undefined for what is not a number, or longer than any text of a cell
 */
export function exactDigits(written: string): string | undefined {
  // Nearly every number is a short whole one already.
  if (/^[1-9]\d{0,19}$/.test(written)) return written;
  const parts = written.length > mostCharacters ? null : decimal.exec(written);
  if (!parts) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  if (whole === '' && fraction === '') return undefined;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const left = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  const right = point < 0 ? '0'.repeat(-point) + digits : digits.slice(point);
  const integer = left.replace(/^0+(?=\d)/, '');
  const rest = withoutZerosAtEnd(right);
  const unsigned = rest === '' ? integer : `${integer}.${rest}`;
  return sign === '-' && unsigned !== '0' ? `-${unsigned}` : unsigned;
}

/** An expression would begin anew at every zero in the middle. */
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}
