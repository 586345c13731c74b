/** The longest text that Excel itself puts into a cell. */
export const mostCharacters = 32_767;

/** A text as a cell can hold it: no character that XML lacks, nothing that Excel reads as an escape, not too long. */
export function toCellText(text: string): string {
  const clean = text.toWellFormed().replaceAll(/[\uFFFE\uFFFF]/g, '\uFFFD');
  return clean.replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_').slice(0, mostCharacters);
}

/**
 * A text that was read, cut where Excel would have refused it: one character more than allowed stays, so that it is
 * never mistaken for a whole one.
 */
export function cutCellText(text: string): string {
  return text.length > mostCharacters ? text.slice(0, mostCharacters + 1) : text;
}
