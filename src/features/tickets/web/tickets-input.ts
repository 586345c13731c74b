/** What the data count becomes as it is typed: a whole number, 0 for anything that is none. */
export function readCount(typed: string): string {
  return String(Number.parseInt(typed, 10) || 0);
}

/** The discount after something was typed: what is no whole number of 0 to 100 is ignored; empty may be typed over. */
export function acceptDiscount(before: string, typed: string): string {
  if (typed === '') return typed;
  return /^\d+$/.test(typed) && Number(typed) <= 100 ? String(Number(typed)) : before;
}
