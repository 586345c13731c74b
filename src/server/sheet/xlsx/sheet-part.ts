import { SheetError } from '../sheet-error.ts';
import {
  columnOf,
  maxColumns,
  maxRows,
  type RawCell,
  type RawRow,
  toRawCell,
  wholeNumber,
} from './raw-cell.ts';
import { TextRun } from './text-run.ts';
import { XmlReader } from './xml-reader.ts';
import { extendText } from './xml-text.ts';

/** Parses a worksheet part piece by piece: columns A up to `columns`, rows that have a value in them. */
export class SheetPart {
  #rows: RawRow[] = [];
  #columns: number;
  #xml: XmlReader;
  #inData = false;
  #row = 0;
  #inRow = false;
  #cells: (RawCell | undefined)[] = [];
  #column = 0;
  /** The type of the current cell; undefined outside of the requested columns. */
  #type: string | undefined;
  #run = new TextRun();
  #value = '';
  #inValue = false;

  /** @param maxMarkup as for XmlReader */
  constructor(columns: number, maxMarkup: number) {
    this.#columns = columns;
    this.#xml = new XmlReader(maxMarkup, {
      open: (name, attributes) => this.#open(name, attributes),
      close: (name) => this.#close(name),
      text: (written, literal) => this.#text(written, literal),
    });
  }

  write(piece: Buffer): void {
    this.#xml.write(piece);
  }

  /** Returns the rows completed by the last pieces. */
  take(): RawRow[] {
    return this.#rows.splice(0);
  }

  /** @throws SheetError when the part ends too early */
  end(): void {
    this.#xml.end();
  }

  #open(name: string, attributes: () => Record<string, string>): void {
    if (!this.#inData) {
      this.#inData = name === 'sheetData';
    } else if (name === 'c') {
      // Cells are in order, so the attributes of cells after the requested columns do not matter.
      if (this.#column < this.#columns) this.#openCell(attributes());
    } else if (name === 'row') {
      this.#openRow(attributes().r);
    } else if (this.#type !== undefined) {
      if (name === 'v') this.#inValue = true;
      else this.#run.open(name);
    }
  }

  #openRow(written: string | undefined): void {
    const row = written === undefined ? this.#row + 1 : wholeNumber(written);
    if (row <= this.#row || row > maxRows) {
      throw new SheetError('corrupt', `row ${written} after row ${this.#row}`);
    }
    if (this.#inRow) throw new SheetError('corrupt', `a row within row ${this.#row}`);
    this.#inRow = true;
    this.#row = row;
    this.#column = 0;
    this.#cells = [];
  }

  #openCell({ r, t = 'n' }: Record<string, string>): void {
    const column = r === undefined ? this.#column + 1 : columnOf(r);
    if (column <= this.#column || column > maxColumns) {
      throw new SheetError('corrupt', `cell ${r} after column ${this.#column}`);
    }
    this.#column = column;
    if (column > this.#columns) return;
    this.#type = t;
    this.#value = '';
    this.#run.start();
  }

  #text(written: string, literal: boolean): void {
    if (this.#type === undefined) return;
    if (!this.#inValue) this.#run.add(written, literal);
    else this.#value = extendText(this.#value, written, literal);
  }

  #close(name: string): void {
    if (name === 'c') {
      if (this.#type === undefined) return;
      const cell = toRawCell(this.#type, this.#type === 'inlineStr' ? this.#run.finish() : this.#value);
      if (cell) this.#cells[this.#column - 1] = cell;
      this.#type = undefined;
    } else if (name === 'row') {
      if (this.#cells.length > 0) this.#rows.push({ row: this.#row, cells: this.#cells });
      this.#cells = [];
      this.#inRow = false;
    } else if (name === 'v') {
      this.#inValue = false;
    } else if (name === 'sheetData') {
      this.#inData = false;
    } else if (this.#type !== undefined) {
      this.#run.close(name);
    }
  }
}
