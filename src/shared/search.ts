/** The longest text that is searched for: far longer than any identifier, long enough for what else stands in a cell. */
export const longestSearch = 1000;

/** What an identifier is written with and stored without: spaces, what nobody sees, and what people put between digits. */
const separators = /[\s\p{Cf}\p{Zs}\p{Cc}\-./'\u2019\u2010-\u2015\u2212]/gu;

/** The part of an identifier that somebody typed or copied, as identifiers are stored; empty where there is none. */
export function normalisePart(typed: string): string {
  return typed.normalize('NFKC').replace(separators, '').toUpperCase();
}
