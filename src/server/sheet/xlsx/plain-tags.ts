// XML as bytes, as far as nearly all programs write it: tags with values in double quotes, no comments, instructions and
// CDATA. Whatever is told of a place is -1 for anything else, which is then left to the parser.

export const lessThan = 0x3c;
const greaterThan = 0x3e;
export const slash = 0x2f;
export const quote = 0x22;
export const equals = 0x3d;
const apostrophe = 0x27;

export function toBytes(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** Whether a text stands at a place. */
export function standsAt(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text[i]) return false;
  return true;
}

export function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

export function skipBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isBlank(bytes[at])) at++;
  return at;
}

/** Whether names may begin with a byte: letters, "_" and ":", of which some more are let through. */
export function beginsName(byte: number | undefined): boolean {
  return byte !== undefined && (byte >= 0x41 || byte === 0x3a);
}

/** The place of the ">" that ends the tag around a place, which is in none of its values. */
export function findTagEnd(bytes: Uint8Array, from: number): number {
  let isQuoted = false;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte > greaterThan) continue;
    if (byte === greaterThan) return isQuoted ? -1 : at;
    if (byte === quote) isQuoted = !isQuoted;
    else if (byte === lessThan || byte === apostrophe) return -1;
  }
  return -1;
}

/** The place behind the end of a closing tag, if its name is the one that begins at `opening`. */
export function closeTag(bytes: Uint8Array, opening: number, closing: number): number {
  let length = 0;
  while (closing + length < bytes.length && bytes[closing + length] === bytes[opening + length]) {
    if (bytes[closing + length] === greaterThan) return closing + length + 1;
    length++;
  }
  return bytes[closing + length] === greaterThan && isBlank(bytes[opening + length])
    ? closing + length + 1
    : -1;
}
