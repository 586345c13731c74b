// The characters of markup.
export const lessThan = 0x3c;
export const greaterThan = 0x3e;
export const slash = 0x2f;
export const equals = 0x3d;
export const quotation = 0x22;
export const apostrophe = 0x27;
export const exclamation = 0x21;
export const question = 0x3f;

// Without a default, one `undefined` at the end of a piece makes each later comparison slower.
export function isBlank(byte = 0): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

export function skipBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (isBlank(bytes[at])) at++;
  return at;
}

/** Returns whether a name may begin with a byte: a letter, "_", ":", or any character beyond ASCII. */
export function beginsName(byte = 0): boolean {
  const letter = byte | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || byte === 0x5f || byte === 0x3a || byte >= 0x80;
}

/** Returns the place of the ">" that ends a tag, outside of its quoted values; -1 if the tag is incomplete. */
export function findTagEnd(bytes: Buffer, from: number): number {
  let quote = 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    // Most bytes of a tag are letters and digits.
    if (byte > greaterThan) continue;
    if (quote !== 0) {
      if (byte === quote) quote = 0;
    } else if (byte === greaterThan) return at;
    else if (byte === quotation || byte === apostrophe) quote = byte;
  }
  return -1;
}
