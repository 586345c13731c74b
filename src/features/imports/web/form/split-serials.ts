/** An entry of pasted text. The comma of a number as Excel shows it, such as `3,53901E+14`, does not end it. */
const entry = / *\d{1,3},\d+E[+-]?\d+ *(?![^\r\n,;\t])|[^\r\n,;\t]+/gi;

/** Splits pasted text into serials: at line breaks, commas, semicolons and tabs. Empty ones are left out. */
export function splitSerials(text: string): string[] {
  return (text.match(entry) ?? []).map((serial) => serial.trim()).filter((serial) => serial !== '');
}
