import { parseWholeNumber } from '#web/format/whole-number.ts';

const digitsAndMarks = /^\s*\d[\d.,\s]*$/;

/** Reads the data count while it is typed: digits and group separators count, anything else is 0. */
export function readCount(typed: string): string {
  if (!digitsAndMarks.test(typed)) return '0';
  return typed.replace(/^\s*0+(?=\d)/, '');
}

/**
 * Reads the discount while it is typed: a value outside 0 to 100 is ignored, an empty field stays empty. A fraction
 * stays, so that the field refuses it: without its decimal point 1.5 would be 15.
 */
export function acceptDiscount(before: string, typed: string): string {
  if (typed === '') return typed;
  if (!digitsAndMarks.test(typed)) return before;
  const discount = parseWholeNumber(typed);
  if (discount === null) return typed;
  return discount <= 100 ? String(discount) : before;
}
