import { parseWholeNumber } from '#web/format/whole-number.ts';

const digitsAndMarks = /^\s*\d[\d.,\s]*$/;

/** What the data count becomes as it is typed: digits and the marks of their groups stay, anything else is 0. */
export function readCount(typed: string): string {
  if (!digitsAndMarks.test(typed)) return '0';
  return typed.replace(/^\s*0+(?=\d)/, '');
}

/**
 * The discount after something was typed: what lies outside 0 to 100 is ignored; empty may be typed over. A fraction
 * stays, for the field to refuse: without its mark 1.5 would be 15.
 */
export function acceptDiscount(before: string, typed: string): string {
  if (typed === '') return typed;
  if (!digitsAndMarks.test(typed)) return before;
  const discount = parseWholeNumber(typed);
  if (discount === null) return typed;
  return discount <= 100 ? String(discount) : before;
}
