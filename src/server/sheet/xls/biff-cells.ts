import type { SheetCell } from '#shared/identifier.ts';
import { exactDigits } from '../exact-number.ts';
import { SheetError } from '../sheet-error.ts';
import type { BiffHead } from './biff-head.ts';
import { type BiffRecord, recordType } from './biff-records.ts';
import { readText } from './biff-strings.ts';

/** A cell as the file has it: a number, which takes less memory than its digits, an index into the table of shared strings, or a text. */
export type BiffCell = number | { shared: number } | SheetCell;

/** A cell with its position, counted from 0, and the number of its style. */
export type PlacedCell = { row: number; column: number; style: number; cell: BiffCell | undefined };

/** Excel's error values as text. */
const errorWords = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
]);
/** The offset of the value: row, column and format come first. */
const valueAt = 6;

/**
 * Yields the cells of a worksheet in file order. A formula with a text yields no value first, then its text.
 * @throws SheetError 'old_excel' for a cell in a record of BIFF2 to BIFF4
 */
export function* readCells(head: BiffHead, records: Iterable<BiffRecord>): Generator<PlacedCell> {
  let formula: Omit<PlacedCell, 'cell'> | undefined;
  for (const record of records) {
    const { type, data } = record;
    if (type === recordType.string) {
      if (formula) yield { ...formula, cell: text(readText(head, record, 0)) };
      formula = undefined;
      continue;
    }
    // Passing over it would lose its value.
    if (oldCellTypes.has(type)) throw new SheetError('old_excel', `a cell in a record of type ${type}`);
    if (!cellTypes.has(type)) continue;
    const place = { row: data.readUInt16LE(0), column: data.readUInt16LE(2), style: data.readUInt16LE(4) };
    if (type === recordType.multipleRk) {
      const count = Math.floor((data.length - valueAt) / 6);
      for (let i = 0; i < count; i++) {
        const at = valueAt + i * 6;
        const style = data.readUInt16LE(at - 2);
        yield { row: place.row, column: place.column + i, style, cell: readRk(data, at) };
      }
      continue;
    }
    formula = formulaTypes.has(type) ? place : undefined;
    yield { ...place, cell: readCell(head, record) };
  }
}

/** All have the same beginning. */
const formulaTypes = new Set<number>([recordType.formula, recordType.formula3, recordType.formula4]);
const cellTypes = new Set<number>([
  ...formulaTypes,
  recordType.multipleRk,
  recordType.richString,
  recordType.labelShared,
  recordType.number,
  recordType.label,
  recordType.boolOrError,
  recordType.rk,
]);

/** The records of whole numbers, numbers, texts, booleans, results of formulas and RK numbers before BIFF5. */
const oldCellTypes = new Set([0x0002, 0x0003, 0x0004, 0x0005, 0x0007, 0x007e]);

function readCell(head: BiffHead, record: BiffRecord): PlacedCell['cell'] {
  const { type, data } = record;
  switch (type) {
    case recordType.labelShared:
      return { shared: data.readUInt32LE(valueAt) };
    case recordType.number:
      return data.readDoubleLE(valueAt);
    case recordType.rk:
      return readRk(data, valueAt);
    case recordType.boolOrError:
      return boolOrError(data.readUInt8(valueAt + 1) === 0, data.readUInt8(valueAt));
    case recordType.formula:
    case recordType.formula3:
    case recordType.formula4:
      return readFormula(data);
    default:
      return text(readText(head, record, valueAt));
  }
}

/** Returns the cached result of a formula. A text result is in the next record. */
function readFormula(data: Buffer): BiffCell | undefined {
  if (data.readUInt16LE(valueAt + 6) !== 0xffff) return data.readDoubleLE(valueAt);
  const kind = data.readUInt8(valueAt);
  return kind === 1 || kind === 2 ? boolOrError(kind === 1, data.readUInt8(valueAt + 2)) : undefined;
}

/** Decodes an RK number: 30 bits of an integer or of a double, divided by 100 or not. */
function readRk(data: Buffer, at: number): number {
  const bits = data.readInt32LE(at);
  const double = Buffer.alloc(8);
  double.writeInt32LE(bits & ~3, 4);
  const value = bits & 2 ? bits >> 2 : double.readDoubleLE(0);
  return bits & 1 ? value / 100 : value;
}

/** Returns a number as a cell; NaN and infinities as text. */
export function toNumberCell(value: number): SheetCell {
  const digits = exactDigits(String(value));
  return digits === undefined ? { text: String(value), numeric: false } : { text: digits, numeric: true };
}

function text(value: string): SheetCell | undefined {
  return value === '' ? undefined : { text: value, numeric: false };
}

function boolOrError(boolean: boolean, value: number): SheetCell {
  if (boolean) return { text: value ? 'TRUE' : 'FALSE', numeric: false };
  return { text: errorWords.get(value) ?? '#N/A', numeric: false };
}
