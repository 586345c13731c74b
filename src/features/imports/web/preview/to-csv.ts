/** A spreadsheet takes such a text for a formula, or for a number whose last digits it rounds. */
const misread = /^[=+\-@\t\r]|^\d{12,}$/;

/**
 * Writes a table as CSV (RFC 4180, with a byte order mark for Excel). Texts that a spreadsheet would misread get a leading
 * apostrophe, which an upload ignores.
 */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(toField).join(',')}\r\n`).join('')}`;
}

function toField(text: string): string {
  return `"${(misread.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}
