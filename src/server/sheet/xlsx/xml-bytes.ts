import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { SheetError } from '../sheet-error.ts';

/** Decodes the bytes of an XML part piece by piece: UTF-8 with or without a byte order mark, or UTF-16 with one. */
export class XmlBytes {
  #rest: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  #started = false;
  #utf16: TextDecoder | undefined;

  /** Decodes the next piece; an incomplete character waits for the piece after it. */
  decode(piece: Buffer): string {
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, piece]) : piece;
    if (!this.#started) {
      if (bytes.length < 4) {
        this.#rest = bytes;
        return '';
      }
      this.#started = true;
      this.#utf16 = utf16Decoder(bytes);
      if (bytes.readUIntBE(0, 3) === 0xefbbbf) bytes = bytes.subarray(3);
    }
    if (this.#utf16) {
      this.#rest = Buffer.alloc(0);
      return this.#decodeUtf16(this.#utf16, bytes);
    }
    const complete = bytes.length - countCutBytes(bytes);
    this.#rest = complete < bytes.length ? Buffer.from(bytes.subarray(complete)) : Buffer.alloc(0);
    const whole = bytes.subarray(0, complete);
    // Most sheets are ASCII, and one-byte strings are faster.
    if (isAscii(whole)) return whole.toString('latin1');
    if (!isUtf8(whole)) throw new SheetError('corrupt', 'XML that is not UTF-8');
    return whole.toString('utf8');
  }

  /** @throws SheetError when the last piece ends inside a character */
  end(): void {
    if (this.#rest.length > 0) throw new SheetError('corrupt', 'XML that ends too early');
  }

  #decodeUtf16(decoder: TextDecoder, bytes: Buffer): string {
    try {
      return decoder.decode(bytes, { stream: true });
    } catch {
      throw new SheetError('corrupt', 'XML that is not UTF-16');
    }
  }
}

function utf16Decoder(bytes: Buffer): TextDecoder | undefined {
  const mark = bytes.readUInt16BE(0);
  if (mark === 0xfffe) return new TextDecoder('utf-16le', { fatal: true });
  if (mark === 0xfeff) return new TextDecoder('utf-16be', { fatal: true });
  return undefined;
}

/** Returns how many bytes at the end belong to an incomplete UTF-8 character. */
function countCutBytes(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}
