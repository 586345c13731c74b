import { SheetError } from '../sheet-error.ts';
import type { ByteSource } from './byte-source.ts';

/** The record types of [MS-XLS] that this reader uses. */
export const recordType = {
  formula: 0x0006,
  /** Formulas as Excel 3 and 4 store them; some programs write them into newer files. */
  formula3: 0x0206,
  formula4: 0x0406,
  eof: 0x000a,
  date1904: 0x0022,
  filePass: 0x002f,
  continue: 0x003c,
  codePage: 0x0042,
  boundSheet: 0x0085,
  multipleRk: 0x00bd,
  richString: 0x00d6,
  /** The format of cells, which name it by its number. */
  style: 0x00e0,
  sharedStrings: 0x00fc,
  labelShared: 0x00fd,
  number: 0x0203,
  label: 0x0204,
  boolOrError: 0x0205,
  string: 0x0207,
  rk: 0x027e,
  format: 0x041e,
  bof: 0x0809,
} as const;

const headerBytes = 4;

/** A record at offset `at` of the stream: its own bytes in `data`, those of its Continue records in `rest`. */
export type BiffRecord = { type: number; at: number; data: Buffer; rest: Buffer[] };

/** The read buffer; a record has up to 65,539 bytes. */
const windowBytes = 256 * 1024;
/** The maximum number of Continue records of a text. Pictures and the string table may have more; they are not read here. */
const maxContinued = 64;

/**
 * Lists the records of the substream that begins at `start`, without nested substreams (charts).
 * @throws SheetError 'corrupt' when the substream does not begin or end correctly
 */
export function* listRecords(stream: ByteSource, start: number): Generator<BiffRecord> {
  let depth = 0;
  let current: BiffRecord | undefined;
  for (const { type, at, data } of readRecords(stream, start)) {
    if (at === start && type !== recordType.bof) break;
    if (type === recordType.continue) {
      if (current && current.rest.length < maxContinued) current.rest.push(data);
      continue;
    }
    if (current && depth === 1) yield current;
    if (type === recordType.bof) depth++;
    current = { type, at, data, rest: [] };
    if (type === recordType.eof && --depth === 0) return;
  }
  throw new SheetError('corrupt', 'a truncated workbook stream');
}

/** Yields the bytes of a record, then those of each of its Continue records, reading on demand. */
export function* readSegments(stream: ByteSource, start: number): Generator<Buffer> {
  for (const { type, at, data } of readRecords(stream, start)) {
    if (at !== start && type !== recordType.continue) return;
    yield data;
  }
}

/** Yields records from an offset on, until the stream ends or a record is truncated. */
function* readRecords(stream: ByteSource, start: number) {
  let window: Buffer = Buffer.alloc(0);
  let windowAt = start;
  for (let at = start; at + headerBytes <= stream.length; ) {
    const need = (bytes: number) => {
      if (at + bytes <= windowAt + window.length) return;
      window = stream.read(at, Math.min(windowBytes, stream.length - at));
      windowAt = at;
    };
    need(headerBytes);
    const length = window.readUInt16LE(at - windowAt + 2);
    if (at + headerBytes + length > stream.length) return;
    need(headerBytes + length);
    const offset = at - windowAt;
    const data = window.subarray(offset + headerBytes, offset + headerBytes + length);
    yield { type: window.readUInt16LE(offset), at, data };
    at += headerBytes + length;
  }
}
