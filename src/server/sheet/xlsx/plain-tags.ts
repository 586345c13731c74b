// XML as bytes, in the form that nearly all programs write: attributes in double quotes, no comments, processing
// instructions or CDATA. Offsets are -1 for any other form, which the XML parser then reads.

export const lessThan = 0x3c;
const greaterThan = 0x3e;
export const slash = 0x2f;
export const quote = 0x22;
export const equals = 0x3d;
const apostrophe = 0x27;

export function toBytes(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** Returns whether these bytes are at an offset. */
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

/** Returns whether a name may begin with a byte: letters, "_", ":" and some more that need no distinction here. */
export function beginsName(byte: number | undefined): boolean {
  return byte !== undefined && (byte >= 0x41 || byte === 0x3a);
}

/** Returns the offset of the ">" that ends a tag. @param from an offset inside the tag, outside of its values */
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

/** Returns the offset after a closing tag if its name equals the name at `opening`. */
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
