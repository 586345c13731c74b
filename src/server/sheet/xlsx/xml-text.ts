import { maxCharacters } from '../cell-text.ts';

const named = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Resolves character references and the five predefined entities; leaves everything else as written. */
export function decodeText(rawText: string): string {
  if (!rawText.includes('&')) return rawText;
  return rawText.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, dec, name) => {
    if (name !== undefined) return named.get(name) ?? whole;
    const code = hex === undefined ? Number(dec) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Resolves the escapes of OOXML strings: `_x000D_` is a carriage return, `_x005F_` an underscore. */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** A character takes at most ten bytes: as a reference, `&#x10FFFF;`. */
const maxWritten = 10 * (maxCharacters + 1);

/**
 * Appends the text between two places, in UTF-8, to the text of a cell; decodes references unless it is `literal` (CDATA).
 * Ignores text beyond a cell's limit; the reader truncates at the end.
 */
export function extendText(
  text: string,
  bytes: Buffer,
  start: number,
  end: number,
  literal: boolean,
): string {
  if (text.length > maxCharacters) return text;
  const rawText = bytes.toString('utf8', start, Math.min(end, start + maxWritten));
  return text + (literal ? rawText : decodeText(rawText));
}
