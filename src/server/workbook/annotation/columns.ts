/** Names a column, counted from 1: A, B, … Z, AA, … */
export function nameColumn(column: number): string {
  const letter = String.fromCharCode(65 + ((column - 1) % 26));
  return column <= 26 ? letter : nameColumn(Math.floor((column - 1) / 26)) + letter;
}

/** Returns the column number of a reference such as AB12, or of the end of a range such as A1:AB12; 0 for others. */
export function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /([a-z]{1,3})\$?\d*$/i.exec(reference)?.[1]?.toUpperCase() ?? '') {
    column = column * 26 + letter.charCodeAt(0) - 64;
  }
  return column;
}
