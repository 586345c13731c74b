import { PlainRows } from './plain-rows.ts';
import type { RawRow } from './raw-cell.ts';
import { SheetPart } from './sheet-part.ts';

const dataStart = '<sheetData>';
/** The most bytes held back, before the rows or for one row, before the parser takes over. */
const longestWait = 256 * 1024;

/** Reads the rows of a worksheet part piece by piece: plain rows as bytes, everything else by the XML parser. */
export class SheetRows {
  readonly #part: SheetPart;
  readonly #plain: PlainRows;
  #state: 'head' | 'plain' | 'parsed' = 'head';
  /** The bytes held back for the next piece. */
  #rest: Buffer = Buffer.alloc(0);

  /** @param mostMarkup as for XmlReader */
  constructor(columns: number, mostMarkup: number) {
    this.#part = new SheetPart(columns, mostMarkup);
    this.#plain = new PlainRows(columns);
  }

  /** Returns the rows completed by the last pieces. */
  take(): RawRow[] {
    return this.#part.rows.splice(0);
  }

  write(piece: Buffer): void {
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, piece]) : piece;
    if (this.#state === 'head') bytes = this.#readHead(bytes);
    if (this.#state === 'plain') bytes = this.#readPlain(bytes);
    if (this.#state !== 'parsed' && bytes.length > longestWait) this.#state = 'parsed';
    this.#rest = this.#state === 'parsed' ? Buffer.alloc(0) : bytes;
    if (this.#state === 'parsed') this.#part.write(bytes);
  }

  /** @throws SheetError when the part ends too early */
  end(): void {
    this.#part.write(this.#rest);
    this.#part.end();
  }

  /** @returns the bytes after it */
  #readHead(bytes: Buffer): Buffer {
    const at = bytes.indexOf(dataStart);
    if (at < 0) return bytes;
    const start = at + dataStart.length;
    this.#state = this.#part.writeUpToRows(bytes.subarray(0, start)) ? 'plain' : 'parsed';
    return bytes.subarray(start);
  }

  #readPlain(bytes: Buffer): Buffer {
    const plain = this.#plain;
    const opened = plain.opened;
    const at = plain.read(bytes, this.#part.rows);
    this.#part.passRows(plain.row, plain.opened - opened);
    if (plain.ended) this.#state = 'parsed';
    return bytes.subarray(at);
  }
}
