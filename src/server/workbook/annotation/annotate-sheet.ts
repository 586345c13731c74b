import { columnOf } from '../../sheet/xlsx/raw-cell.ts';
import type { Cell } from '../cell.ts';
import { type CellForm, writeAnnotatedCell } from './annotated-cell.ts';
import { nameColumn } from './columns.ts';
import { SheetPosition } from './sheet-position.ts';
import { asEmpty, attributeOf, readTokens, type Tag, TagParser, withAttribute } from './xml-tokens.ts';

/** The cells that a row of the sheet gets; rows count from 1. */
export type AddedRow = { row: number; cells: Cell[] };

/** The columns to add: the first, from 1, and the width of each in characters. */
export type AddedColumns = { first: number; widths: number[] };

/** Writes a worksheet part with more cells in some rows, given in order; everything else stays as it is written. */
export async function* annotateSheet(
  pieces: AsyncIterable<Buffer>,
  columns: AddedColumns,
  rows: AsyncIterable<AddedRow[]>,
  form: CellForm,
): AsyncGenerator<string> {
  const writer = new SheetWriter(columns, form);
  const added = new RowsInOrder(rows);
  const tags = new TagParser();
  for await (const tokens of readTokens(pieces)) {
    for (const token of tokens) {
      const tag = tags.parse(token);
      if (tag) writer.at.follow(token, tag);
      const opensRow = tag?.name === 'row' && tag.kind !== 'close' && writer.at.inData;
      if (opensRow) writer.cells = await added.find(writer.at.row);
      writer.write(token, tag);
    }
    yield writer.take();
  }
}

/** Finds rows by their number, which never falls. */
class RowsInOrder {
  readonly #batches: AsyncIterator<AddedRow[]>;
  #batch: AddedRow[] = [];
  #next = 0;
  #found = 0;
  #ended = false;

  constructor(rows: AsyncIterable<AddedRow[]>) {
    this.#batches = rows[Symbol.asyncIterator]();
  }

  /** Returns the cells of a row, which has them once: some programs write a row in several elements. */
  async find(row: number): Promise<Cell[] | undefined> {
    if (row === this.#found) return [];
    for (;;) {
      const candidate = this.#batch[this.#next];
      if (candidate && candidate.row > row) return undefined;
      if (candidate?.row === row) {
        this.#found = row;
        return candidate.cells;
      }
      if (candidate) this.#next += 1;
      else if (this.#ended) return undefined;
      else await this.#fetch();
    }
  }

  async #fetch(): Promise<void> {
    const { value, done } = await this.#batches.next();
    this.#ended = done === true;
    [this.#batch, this.#next] = [done ? [] : value, 0];
  }
}

class SheetWriter {
  readonly at = new SheetPosition();
  /** The cells to add to the current row; undefined once they are written. */
  cells: Cell[] | undefined;
  readonly #first: number;
  readonly #last: number;
  readonly #widths: number[];
  readonly #form: CellForm;
  readonly #letters: string[];
  #xml: string[] = [];
  #hasWidths = false;
  /** Whether a row gets cells, and its empty cells in these columns go. */
  #isAnnotated = false;
  /** The element that is left out up to its end. */
  #skipped: string | undefined;

  constructor({ first, widths }: AddedColumns, form: CellForm) {
    this.#first = first;
    this.#last = first + widths.length - 1;
    this.#widths = widths;
    this.#form = form;
    this.#letters = widths.map((_, nth) => nameColumn(first + nth));
  }

  take(): string {
    return this.#xml.splice(0).join('');
  }

  write(token: string, tag: Tag | undefined): void {
    if (token.startsWith('<?xml')) this.#xml.push('<?xml version="1.0" encoding="UTF-8" standalone="yes"?>');
    else if (this.#skipped !== undefined) {
      if (tag?.name === this.#skipped && tag.kind === 'close') this.#skipped = undefined;
    } else if (!tag) this.#xml.push(token);
    else if (tag.name === 'dimension') this.#xml.push(this.#widen(token));
    else if (tag.name === 'sheetData' && tag.kind === 'open') this.#openData(token, tag);
    else if (tag.name === 'row' && this.at.inData) this.#writeRow(token, tag);
    else if (this.at.inRow && this.#isAnnotated) this.#writeWithin(token, tag);
    else if (tag.name === 'col') this.#writeWidth(token, tag);
    // Without columns, which have to be written instead.
    else if (tag.name === 'cols' && tag.kind === 'empty') return;
    else {
      if (tag.name === 'cols' && tag.kind === 'close') this.#addWidths(tag.prefix);
      this.#xml.push(token);
    }
  }

  #openData(token: string, { prefix }: Tag): void {
    if (!this.#hasWidths) {
      this.#xml.push(`<${prefix}cols>`);
      this.#addWidths(prefix);
      this.#xml.push(`</${prefix}cols>`);
    }
    this.#xml.push(token);
  }

  #writeRow(token: string, { kind, prefix }: Tag): void {
    if (kind === 'close') {
      this.#addCells(prefix);
      this.#isAnnotated = false;
      this.#xml.push(token);
      return;
    }
    this.#isAnnotated = this.cells !== undefined;
    if (!this.#isAnnotated) {
      this.#xml.push(token);
      return;
    }
    // `spans` only speeds readers up, and would leave the new columns out.
    const row = withAttribute(token, 'spans', undefined);
    if (kind === 'open') {
      this.#xml.push(row);
      return;
    }
    this.#xml.push(`${row.slice(0, -2)}>`);
    this.#addCells(prefix);
    this.#xml.push(`</${prefix}row>`);
    this.#isAnnotated = false;
  }

  /** Writes a tag within a row that gets cells: they come before cells further right, and before extensions. */
  #writeWithin(token: string, { kind, name, prefix }: Tag): void {
    const { column } = this.at;
    if (name === 'c' && kind !== 'close' && column >= this.#first && column <= this.#last) {
      // Empty, because these columns are right of the last used one.
      if (kind === 'open') this.#skipped = 'c';
      return;
    }
    const isFurther = name === 'c' && kind !== 'close' && column > this.#last;
    if (isFurther || (name === 'extLst' && !this.at.inCell)) this.#addCells(prefix);
    this.#xml.push(token);
  }

  #addCells(prefix: string): void {
    for (const [nth, cell] of (this.cells ?? []).entries()) {
      this.#xml.push(writeAnnotatedCell(prefix, `${this.#letters[nth]}${this.at.row}`, cell, this.#form));
    }
    this.cells = undefined;
  }

  /** Returns the sheet's dimension with the new columns. */
  #widen(token: string): string {
    const ref = attributeOf(token, 'ref') ?? '';
    const [start = '', end = start] = ref.split(':');
    if (columnOf(end) === 0 || columnOf(end) >= this.#last) return token;
    return withAttribute(token, 'ref', `${start}:${end.replace(/^[a-z]+/i, nameColumn(this.#last))}`);
  }

  /** Writes a range of column widths without the new columns, always as empty elements. */
  #writeWidth(token: string, { kind, prefix }: Tag): void {
    if (kind === 'open') this.#skipped = 'col';
    const min = Number(attributeOf(token, 'min'));
    const max = Number(attributeOf(token, 'max'));
    if (min < this.#first) this.#xml.push(this.#cut(token, min, Math.min(max, this.#first - 1)));
    if (max <= this.#last) return;
    this.#addWidths(prefix);
    this.#xml.push(this.#cut(token, Math.max(min, this.#last + 1), max));
  }

  #cut(token: string, min: number, max: number): string {
    return withAttribute(withAttribute(asEmpty(token), 'min', String(min)), 'max', String(max));
  }

  #addWidths(prefix: string): void {
    if (this.#hasWidths) return;
    this.#hasWidths = true;
    for (const [nth, width] of this.#widths.entries()) {
      const column = this.#first + nth;
      this.#xml.push(`<${prefix}col min="${column}" max="${column}" width="${width}" customWidth="1"/>`);
    }
  }
}
