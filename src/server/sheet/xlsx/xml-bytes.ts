import { TextDecoder } from 'node:util';
import { SheetError } from '../sheet-error.ts';

const utf8Mark = Buffer.from('\uFEFF');
/** An XML declaration is shorter. */
const maxDeclarationLength = 1024;

/**
 * Decodes the bytes of an XML part piece by piece. Its encoding is told by a byte order mark, by the form of the first
 * "<", or by the XML declaration; otherwise it is UTF-8.
 */
export class XmlBytes {
  #decoder: TextDecoder | undefined;
  /** The first bytes, until there are enough to know the encoding. */
  #head: Buffer = Buffer.alloc(0);

  /** Decodes the next piece; an incomplete character waits for the piece after it. */
  decode(piece: Buffer): string {
    const bytes = this.#pastHead(piece);
    return this.#decoder && bytes ? read(this.#decoder, bytes) : '';
  }

  /** Returns the next piece as UTF-8 without a byte order mark. Bytes that are UTF-8 already are not checked. */
  toUtf8(piece: Buffer): Buffer {
    const isFirst = !this.#decoder;
    const bytes = this.#pastHead(piece);
    if (!this.#decoder || !bytes) return Buffer.alloc(0);
    if (this.#decoder.encoding !== 'utf-8') return Buffer.from(read(this.#decoder, bytes));
    const isMarked = isFirst && bytes.subarray(0, utf8Mark.length).equals(utf8Mark);
    return isMarked ? bytes.subarray(utf8Mark.length) : bytes;
  }

  /** @throws SheetError when the last piece ends inside a character */
  end(): void {
    if (!this.#decoder) throw new SheetError('corrupt', 'truncated XML');
    read(this.#decoder);
  }

  /** Chooses the encoding as soon as it is certain. @returns the bytes to decode; undefined until then */
  #pastHead(piece: Buffer): Buffer | undefined {
    if (this.#decoder) return piece;
    this.#head = Buffer.concat([this.#head, piece]);
    if (!tellsEncoding(this.#head)) return undefined;
    this.#decoder = createDecoder(encodingOf(this.#head));
    return this.#head;
  }
}

function read(decoder: TextDecoder, bytes?: Buffer): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch {
    throw new SheetError('corrupt', `XML that is not ${decoder.encoding}`);
  }
}

function tellsEncoding(head: Buffer): boolean {
  if (head.length < 4) return false;
  return (
    !head.toString('latin1').startsWith('<?xm') || head.includes('?>') || head.length > maxDeclarationLength
  );
}

function encodingOf(head: Buffer): string {
  const [a, b] = head;
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return 'utf-16be';
  const start = head.toString('latin1', 0, maxDeclarationLength);
  const declared = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1] ?? 'utf-8';
  // Some programs declare UTF-16 and write UTF-8: these first bytes are not UTF-16.
  return /^(?:utf-?16|ucs-2)/i.test(declared) ? 'utf-8' : declared;
}

function createDecoder(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new SheetError('corrupt', `XML in the unknown encoding ${encoding}`);
  }
}
