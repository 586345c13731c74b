/** Names a column, counted from 1: A, B, … Z, AA, … */
export function nameColumn(column: number): string {
  const letter = String.fromCharCode(65 + ((column - 1) % 26));
  return column <= 26 ? letter : nameColumn(Math.floor((column - 1) / 26)) + letter;
}
