import { TextDecoder } from 'node:util';
import { SheetError } from '../sheet-error.ts';

/** Decodes the bytes of an XML part piece by piece: UTF-8 with or without a byte order mark, or UTF-16 with one. */
export class XmlBytes {
  #decoder: TextDecoder | undefined;
  /** The first bytes, until there are enough to know the encoding. */
  #head: Buffer = Buffer.alloc(0);

  /** Decodes the next piece; an incomplete character waits for the piece after it. */
  decode(piece: Buffer): string {
    if (this.#decoder) return this.#read(this.#decoder, piece);
    this.#head = Buffer.concat([this.#head, piece]);
    if (this.#head.length < 2) return '';
    this.#decoder = new TextDecoder(encodingOf(this.#head), { fatal: true });
    return this.#read(this.#decoder, this.#head);
  }

  /** @throws SheetError when the last piece ends inside a character */
  end(): void {
    if (!this.#decoder) throw new SheetError('corrupt', 'truncated XML');
    this.#read(this.#decoder);
  }

  #read(decoder: TextDecoder, bytes?: Buffer): string {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new SheetError('corrupt', `XML that is not ${decoder.encoding}`);
    }
  }
}

function encodingOf(bytes: Buffer): string {
  const mark = bytes.readUInt16BE(0);
  return mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8';
}
