import { SheetError } from '../sheet-error.ts';
import { mostColumns, mostRows, type RawCell, type RawRow, toRawCell, wholeNumber } from './raw-cell.ts';
import { TextRun } from './text-run.ts';
import { XmlReader } from './xml-reader.ts';
import { extendText } from './xml-text.ts';

/** Parses a worksheet part piece by piece: columns A up to `columns`, rows that have a value in them. */
export class SheetPart {
  /** What was completed by the last pieces; the caller takes them away. */
  rows: RawRow[] = [];
  #columns: number;
  #xml: XmlReader;
  #inData = false;
  #row = 0;
  #inRow = false;
  #cells: (RawCell | undefined)[] = [];
  #column = 0;
  /** The type of the cell that is being read; undefined outside of the wanted cells. */
  #type: string | undefined;
  #run = new TextRun();
  #value = '';
  #inValue = false;

  /** @param mostMarkup as XmlReader takes it */
  constructor(columns: number, mostMarkup: number) {
    this.#columns = columns;
    this.#xml = new XmlReader(mostMarkup, {
      open: (name, attributes) => this.#open(name, attributes),
      close: (name) => this.#close(name),
      text: (written, literal) => this.#text(written, literal),
    });
  }

  write(piece: Buffer): void {
    this.#xml.write(piece);
  }

  /**
   * Takes a piece that ends with the start of the rows.
   * @returns whether it is that, and not a comment about it
   */
  writeUpToRows(piece: Buffer): boolean {
    this.#xml.write(piece);
    this.#xml.flush();
    return this.#inData;
  }

  /** Notes that rows were read elsewhere which the parser will not see. @param last the last one's number */
  passRows(last: number, openedTags: number): void {
    this.#row = last;
    this.#xml.count(openedTags);
  }

  /** @throws SheetError when the part ended too early */
  end(): void {
    this.#xml.end();
  }

  #open(name: string, attributes: () => Record<string, string>): void {
    if (!this.#inData) {
      this.#inData = name === 'sheetData';
    } else if (name === 'c') {
      // Cells stand in order, so that those behind the wanted columns need no look at their attributes.
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
    if (row <= this.#row || row > mostRows) {
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
    if (column <= this.#column || column > mostColumns) {
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
      if (this.#cells.length > 0) this.rows.push({ row: this.#row, cells: this.#cells });
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

/** The number of the column in a reference such as AB12; 0 for what is not such a reference. */
function columnOf(reference: string): number {
  let column = 0;
  for (let i = 0; i < reference.length; i++) {
    const letter = reference.charCodeAt(i) & ~32;
    if (letter < 65 || letter > 90) break;
    column = column * 26 + letter - 64;
  }
  return column;
}
