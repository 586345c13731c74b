/** The longest search text in characters: longer than any identifier, enough for other cell content. */
export const maxSearchLength = 1000;

/** Characters that people write in identifiers but that are not stored: spaces, invisible characters, separators. */
const separators = /[\s\p{Cf}\p{Zs}\p{Cc}\-./'\u2019\u2010-\u2015\u2212]/gu;

/** Normalises a typed or copied part of an identifier to its stored form; empty when nothing is left. */
export function normalisePart(typed: string): string {
  return typed.normalize('NFKC').replace(separators, '').toUpperCase();
}
