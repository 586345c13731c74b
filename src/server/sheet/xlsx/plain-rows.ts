import { isAscii, isUtf8 } from 'node:buffer';
import { ElementSkipper } from './element-skipper.ts';
import { PlainCell } from './plain-cell.ts';
import { findTagEnd, quote, skipBlanks, slash, standsAt, toBytes } from './plain-tags.ts';
import { mostColumns, mostRows, type RawCell, type RawRow } from './raw-cell.ts';

const rowStart = toBytes('<row r="');
const rowEnd = toBytes('</row>');
const cellStart = toBytes('<c r="');

/**
 * Reads rows as bytes, in the form that nearly all programs write: rows and cells begin with their reference, cells
 * contain only a value. Skips cells of other columns. Stops before the first row in another form; the XML parser reads
 * that row and all after it.
 */
export class PlainRows {
  /** The number of the last row. */
  row = 0;
  /** The number of opened tags. */
  opened = 0;
  /** Whether the next row has another form, or there is none. */
  ended = false;
  readonly #columns: number;
  readonly #cell = new PlainCell();
  readonly #skipper = new ElementSkipper();
  #cells: (RawCell | undefined)[] = [];

  /** @param columns how many to read, from A on */
  constructor(columns: number) {
    this.#columns = columns;
  }

  /**
   * Reads the complete rows of a piece.
   * @param rows receives the rows with a value
   * @returns the offset of the first unread byte
   */
  read(piece: Buffer, rows: RawRow[]): number {
    const last = piece.lastIndexOf('</row>');
    if (last < 0) return 0;
    const bytes = piece.subarray(0, last + rowEnd.length);
    if (!isAscii(bytes) && !isUtf8(bytes)) this.ended = true;
    let at = 0;
    while (at < bytes.length && !this.ended) {
      const opened = this.opened;
      const end = this.#readRow(bytes, at);
      if (end < 0) {
        this.opened = opened;
        this.ended = true;
        break;
      }
      if (this.#cells.length > 0) rows.push({ row: this.row, cells: this.#cells });
      at = end;
    }
    return at;
  }

  /** @returns the end of the row at an offset */
  #readRow(bytes: Buffer, from: number): number {
    const start = skipBlanks(bytes, from);
    if (!standsAt(bytes, start, rowStart)) return -1;
    let at = start + rowStart.length;
    let row = 0;
    while (isDigit(bytes[at]) && row <= mostRows) row = row * 10 + (bytes[at++] ?? 0) - 0x30;
    if (row <= this.row || row > mostRows || bytes[at] !== quote) return -1;
    const head = findTagEnd(bytes, at + 1);
    if (head < 0) return -1;
    this.opened++;
    this.#cells = [];
    const end = bytes[head - 1] === slash ? head + 1 : this.#readCells(bytes, start + 1, head + 1);
    if (end > 0) this.row = row;
    return end;
  }

  /** @returns where the row ends whose name and whose first cell begin at these places */
  #readCells(bytes: Buffer, name: number, first: number): number {
    let at = first;
    for (let column = 0; column < this.#columns; ) {
      at = skipBlanks(bytes, at);
      if (standsAt(bytes, at, rowEnd)) break;
      if (!standsAt(bytes, at, cellStart)) return -1;
      let place = at + cellStart.length;
      let next = 0;
      while (isLetter(bytes[place]) && next <= mostColumns) next = next * 26 + (bytes[place++] ?? 0) - 0x40;
      while (isDigit(bytes[place])) place++;
      if (next <= column || next > mostColumns || bytes[place] !== quote) return -1;
      if (next > this.#columns) break;
      column = next;
      const cell = this.#cell.read(bytes, place + 1);
      at = this.#cell.end;
      if (at < 0) return -1;
      this.opened += this.#cell.opened;
      if (cell) this.#cells[column - 1] = cell;
    }
    const end = this.#skipper.skip(bytes, name, at);
    this.opened += this.#skipper.opened;
    return end;
  }
}

function isDigit(byte = 0): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isLetter(byte = 0): boolean {
  return byte >= 0x41 && byte <= 0x5a;
}
