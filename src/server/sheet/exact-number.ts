import { maxCharacters } from './cell-text.ts';

// Each part begins with a different character, so the expression never backtracks.
const decimal = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Returns the exact digits of a number as a workbook writes it, without exponent and trailing ".0". Works on the text,
 * because a double would round long numbers.
 * @returns undefined for anything else, or for more digits than a cell holds
 */
export function exactDigits(rawText: string): string | undefined {
  // Fast path: nearly every number is written like this.
  if (/^(?:0|[1-9]\d{0,19})(?:\.\d{0,19}[1-9])?$/.test(rawText)) return rawText;
  const parts = rawText.length > maxCharacters ? null : decimal.exec(rawText);
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

// A loop, because an expression would start again at every zero in the middle.
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}
