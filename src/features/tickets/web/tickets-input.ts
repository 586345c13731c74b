import { parseWholeNumber } from '#web/whole-number.ts';

/** What the data count becomes as it is typed: digits and the marks of their groups stay, anything else is 0. */
export function readCount(typed: string): string {
  if (!/^\s*\d[\d.,\s]*$/.test(typed)) return '0';
  return typed.replace(/^\s*0+(?=\d)/, '');
}

/** The discount after something was typed: what is not a whole number from 0 to 100 is ignored; empty may be typed over. */
export function acceptDiscount(before: string, typed: string): string {
  if (typed === '') return typed;
  const discount = parseWholeNumber(typed);
  return discount !== null && discount <= 100 ? String(discount) : before;
}
