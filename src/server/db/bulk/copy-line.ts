const special = /[\\\t\n\r]/g;
const escapes = new Map([
  ['\\', '\\\\'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
]);

/** Returns one line of COPY's text format; null becomes NULL. */
export function toCopyLine(values: (string | number | null)[]): string {
  let line = '';
  for (const value of values) line += `${toField(value)}\t`;
  return `${line.slice(0, -1)}\n`;
}

function toField(value: string | number | null): string {
  if (value === null) return '\\N';
  if (typeof value === 'number') return String(value);
  return value.replace(special, (character) => escapes.get(character) ?? character);
}
