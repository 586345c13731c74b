const mostCharacters = 32_767;

/** A text as a cell can hold it: no character that XML lacks, nothing that Excel reads as an escape, not too long. */
export function toCellText(text: string): string {
  const clean = text.toWellFormed().replaceAll(/[\uFFFE\uFFFF]/g, '\uFFFD');
  return clean.replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_').slice(0, mostCharacters);
}
