/** Splits pasted text into serials: at line breaks, commas, semicolons and tabs. Empty ones are left out. */
export function splitSerials(text: string): string[] {
  return text
    .split(/[\r\n,;\t]/)
    .map((serial) => serial.trim())
    .filter((serial) => serial !== '');
}
