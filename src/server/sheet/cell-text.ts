/** The maximum number of characters in a cell of Excel. */
export const maxCharacters = 32_767;

/** Makes a text safe for a cell: removes characters that XML lacks, escapes Excel's own escapes, limits the length. */
export function toCellText(text: string): string {
  const clean = text.toWellFormed().replaceAll(/[\uFFFE\uFFFF]/g, '\uFFFD');
  return clean.replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_').slice(0, maxCharacters);
}

/** Truncates a text to one character more than Excel allows, so that it is never mistaken for a complete one. */
export function cutCellText(text: string): string {
  return text.length > maxCharacters ? text.slice(0, maxCharacters + 1) : text;
}
