/** Excel's built-in formats that show a day: those of all languages, then those of East Asian ones. */
export const builtInDayFormats: ReadonlySet<number> = new Set([
  ...[14, 15, 16, 17, 22],
  ...[27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58],
]);

/** Quoted texts, escaped characters, fillers and brackets of a format code, whose letters are no part of a day. */
const literal = /"[^"]*"?|[\\_*].|\[[^\]]*\]?/gs;

/** Returns whether the code of a number format, such as `dd/mm/yyyy`, shows a day. */
export function showsDay(code: string): boolean {
  const [positive = ''] = code.replaceAll(literal, '').split(';');
  return /[dy]|mmm/i.test(positive);
}
