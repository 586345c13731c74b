import type { SheetCell } from '#shared/identifier.ts';
import { cutToDay, toDayCell } from '../days/sheet-day.ts';
import { SheetError } from '../sheet-error.ts';
import {
  columnBetween,
  maxColumns,
  maxRows,
  type RawCell,
  type RawRow,
  toRawCell,
  wholeBetween,
} from './raw-cell.ts';
import { TextRun } from './text-run.ts';
import { XmlReader } from './xml-reader.ts';
import type { XmlTag } from './xml-tag.ts';
import { extendText } from './xml-text.ts';

/** The columns, from 1, and the styles of the numbers that are read as days. */
export type DayCells = { columns: ReadonlySet<number>; styles: ReadonlySet<string>; date1904: boolean };

const formulaWithoutResult: RawCell = { text: '=', numeric: false, noResult: true };

/** Parses a worksheet part piece by piece: the requested columns of the rows that have a value in them. */
export class SheetPart {
  /** The number of the present row. */
  row = 0;
  /** The number of cells with a value in the requested columns, counted as they are read. */
  values = 0;
  readonly #first: number;
  readonly #columns: number;
  readonly #days: DayCells | undefined;
  readonly #xml: XmlReader;
  /** The element that the parser is in. */
  #place: 'part' | 'data' | 'row' | 'cell' = 'part';
  #rows: RawRow[] = [];
  #cells: (RawCell | undefined)[] = [];
  #column = 0;
  /** The type of the present cell; undefined outside of the requested columns. */
  #type: string | undefined;
  /** Whether the present cell is a day if it is a number or a date. */
  #isDay = false;
  #run = new TextRun();
  #value = '';
  #inValue = false;
  #hasFormula = false;

  /**
   * @param columns the first requested column, from 1, and the number of them
   * @param maxMarkup as for XmlReader
   */
  constructor({ first, count }: { first: number; count: number }, maxMarkup: number, days?: DayCells) {
    this.#first = first;
    this.#columns = count;
    this.#days = days;
    this.#xml = new XmlReader(maxMarkup, {
      open: (name, tag) => this.#open(name, tag),
      close: (name) => this.#close(name),
      text: (bytes, start, end, literal) => this.#text(bytes, start, end, literal),
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
    this.#completeRow();
  }

  #open(name: string, tag: XmlTag): void {
    if (this.#place === 'part') {
      if (name === 'sheetData') this.#place = 'data';
    } else if (name === 'c') {
      this.#openCell(tag);
    } else if (name === 'row') {
      this.#openRow(tag);
    } else if (this.#type !== undefined) {
      if (name === 'v') this.#inValue = true;
      else if (name === 'f') this.#hasFormula = true;
      else this.#run.open(name);
    }
  }

  /** Opens a row. Some programs write a row in several elements, which have the same number. */
  #openRow(tag: XmlTag): void {
    const row = tag.find('r') ? wholeBetween(tag.bytes, tag.valueStart, tag.valueEnd) : this.row + 1;
    if (row < Math.max(this.row, 1) || row > maxRows)
      throw new SheetError('corrupt', `row ${tag.attribute('r')} after row ${this.row}`);
    if (this.#place !== 'data') throw new SheetError('corrupt', `a row within row ${this.row}`);
    if (row !== this.row) this.#completeRow();
    this.#place = 'row';
    this.row = row;
    this.#column = 0;
  }

  #completeRow(): void {
    if (this.#cells.length > 0) this.#rows.push({ row: this.row, cells: this.#cells });
    this.#cells = [];
  }

  /** Opens a cell. Cells may be in any order. */
  #openCell(tag: XmlTag): void {
    if (this.#place !== 'row')
      throw new SheetError('corrupt', `a cell outside of a row, after row ${this.row}`);
    this.#place = 'cell';
    const column = tag.find('r') ? columnBetween(tag.bytes, tag.valueStart, tag.valueEnd) : this.#column + 1;
    if (column === 0 || column > maxColumns)
      throw new SheetError('corrupt', `a cell in column ${column} of row ${this.row}`);
    this.#column = column;
    if (column < this.#first || column >= this.#first + this.#columns) return;
    this.#type = tag.attribute('t') ?? 'n';
    this.#isDay =
      this.#days?.columns.has(column) === true &&
      (this.#type === 'd' || (this.#type === 'n' && this.#days.styles.has(tag.attribute('s') ?? '0')));
    this.#value = '';
    this.#hasFormula = false;
    this.#run.start();
  }

  #text(bytes: Buffer, start: number, end: number, literal: boolean): void {
    if (this.#type === undefined) return;
    if (this.#inValue) this.#value = extendText(this.#value, bytes, start, end, literal);
    else this.#run.add(bytes, start, end, literal);
  }

  #close(name: string): void {
    if (name === 'c') {
      if (this.#type !== undefined) this.#addCell(this.#type);
      this.#type = undefined;
      if (this.#place === 'cell') this.#place = 'row';
    } else if (name === 'row') {
      if (this.#place === 'row') this.#place = 'data';
    } else if (name === 'v') {
      this.#inValue = false;
    } else if (name === 'sheetData') {
      if (this.#place === 'data') this.#place = 'part';
    } else if (this.#type !== undefined) {
      this.#run.close(name);
    }
  }

  #addCell(type: string): void {
    const value = toRawCell(type, this.#value);
    const inline = toRawCell('inlineStr', this.#run.finish());
    const found = type === 'inlineStr' ? (inline ?? value) : (value ?? inline);
    // The result of a formula may be an empty text.
    const lacksResult = this.#hasFormula && type !== 'str';
    const cell = found ?? (lacksResult ? formulaWithoutResult : undefined);
    if (!cell) return;
    const index = this.#column - this.#first;
    if (this.#cells[index])
      throw new SheetError('corrupt', `two values in column ${this.#column} of row ${this.row}`);
    this.#cells[index] = this.#isDay && 'text' in cell ? this.#toDay(cell, type) : cell;
    this.values += 1;
  }

  #toDay(cell: SheetCell, type: string): SheetCell {
    return type === 'd' ? cutToDay(cell) : toDayCell(cell, this.#days?.date1904 === true);
  }
}
