import { TextDecoder } from 'node:util';
import { SheetError } from '../sheet-error.ts';
import type { BiffRecord } from './biff-records.ts';

/** Reads fields and characters across a record and its Continue records. Reading past the last one is an error. */
class ContinuedReader {
  readonly #segments: Iterator<Buffer>;
  #segment: Buffer;
  #at: number;

  constructor(segments: Iterable<Buffer>, start: number) {
    this.#segments = segments[Symbol.iterator]();
    this.#segment = this.#take();
    this.#at = start;
  }

  /** Reads an integer of up to 4 bytes; integers never cross records. */
  number(bytes: 1 | 2 | 4): number {
    const segment = this.#open();
    if (segment.length - this.#at < bytes) throw cutOff();
    const value = segment.readUIntLE(this.#at, bytes);
    this.#at += bytes;
    return value;
  }

  skip(bytes: number): void {
    for (let left = bytes; left > 0; ) {
      const step = Math.min(left, this.#open().length - this.#at);
      this.#at += step;
      left -= step;
    }
  }

  /** Reads characters of one or two bytes. If they continue in the next record, its first byte has the flag of the width. */
  characters(count: number, wide: boolean): string {
    let text = '';
    let wideNow = wide;
    for (let left = count; left > 0; ) {
      // A record may end behind its flag, without a character.
      while (this.#at >= this.#segment.length) {
        this.#next();
        wideNow = (this.number(1) & 1) === 1;
      }
      const width = wideNow ? 2 : 1;
      const segment = this.#segment;
      const step = Math.min(left, Math.floor((segment.length - this.#at) / width));
      if (step === 0) throw cutOff();
      const end = this.#at + step * width;
      text += segment.toString(wideNow ? 'utf16le' : 'latin1', this.#at, end);
      this.#at = end;
      left -= step;
    }
    return text;
  }

  #take(): Buffer {
    const { value, done } = this.#segments.next();
    if (done) throw cutOff();
    return value;
  }

  #next(): void {
    this.#segment = this.#take();
    this.#at = 0;
  }

  /** Returns the segment of the next byte. */
  #open(): Buffer {
    while (this.#at >= this.#segment.length) this.#next();
    return this.#segment;
  }
}

function cutOff(): SheetError {
  return new SheetError('corrupt', 'a truncated text');
}

/** Reads the wanted strings of the table of shared strings, by index, and skips the others. */
export function readSharedStrings(segments: Iterable<Buffer>, wanted: Set<number>): Map<number, string> {
  const strings = new Map<number, string>();
  const bytes = new ContinuedReader(segments, 4);
  const count = bytes.number(4);
  for (let i = 0; i < count && strings.size < wanted.size; i++) {
    const length = bytes.number(2);
    const flags = bytes.number(1);
    const runs = flags & 8 ? bytes.number(2) : 0;
    const extension = flags & 4 ? bytes.number(4) : 0;
    const text = bytes.characters(length, (flags & 1) === 1);
    bytes.skip(runs * 4 + extension);
    if (wanted.has(i)) strings.set(i, text);
  }
  return strings;
}

/** The code pages whose name in the Encoding Standard is not `windows-<number>`. */
const encodings = new Map([
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [10_000, 'macintosh'],
  [0x8000, 'macintosh'],
]);
const windows = new Set([874, 1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258]);

/** The form of texts: Unicode in BIFF8, a code page in BIFF5. */
type TextForm = { version: 5 | 8; codePage: number };

/**
 * Reads a text of a record at offset `start`: its length, then its characters.
 * @param lengthBytes the size of the length: 1 for names of sheets, otherwise 2
 */
export function readText(
  { version, codePage }: TextForm,
  record: BiffRecord,
  start: number,
  lengthBytes: 1 | 2 = 2,
): string {
  const bytes = new ContinuedReader([record.data, ...record.rest], start);
  const length = bytes.number(lengthBytes);
  // Some programs leave out the flags of an empty text.
  if (length === 0) return '';
  if (version === 8) return bytes.characters(length, (bytes.number(1) & 1) === 1);
  const encoded = Buffer.from(bytes.characters(length, false), 'latin1');
  const encoding = encodings.get(codePage) ?? `windows-${windows.has(codePage) ? codePage : 1252}`;
  return new TextDecoder(encoding).decode(encoded);
}
