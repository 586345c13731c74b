import fc from 'fast-check';
import { makeCompoundFile } from '#tests/support/sheets/make-compound-file.ts';
import { anywhere, byteChanges, type Change, changeNumber, type Find, mutate } from './mutate-bytes.ts';

type Entry = {
  type: number;
  data: Buffer;
  /** Where the record began in the original; -1 for an added one. */
  at: number;
  /** The length that the record's head tells, where it is not the true one. */
  length?: number;
};

/** Types that the reader looks at, and some that it passes over. */
const types = [
  0x0006, 0x000a, 0x0022, 0x002f, 0x003c, 0x0042, 0x0085, 0x00bd, 0x00d6, 0x00fc, 0x00fd, 0x0201, 0x0203,
  0x0204, 0x0205, 0x0207, 0x0208, 0x027e, 0x0809, 0x00be, 0x00e5, 0x01b6, 0xffff, 0x0000,
];
const boundSheet = 0x0085;
const continuation = 0x003c;
/** The longest stream, in bytes. */
const longest = 3_000_000;
/** Shorter streams would lie in small sectors, which `makeCompoundFile` has none of. */
const shortest = 4096;

function split(stream: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at + 4 <= stream.length; ) {
    const type = stream.readUInt16LE(at);
    const length = stream.readUInt16LE(at + 2);
    if (at + 4 + length > stream.length || (type === 0 && length === 0)) break;
    entries.push({ type, data: stream.subarray(at + 4, at + 4 + length), at });
    at += 4 + length;
  }
  return entries;
}

function join(entries: readonly Entry[]): Buffer {
  const pieces = entries.map(({ type, data, length = data.length }) => {
    const head = Buffer.alloc(4);
    head.writeUInt16LE(type, 0);
    head.writeUInt16LE(Math.min(length, 0xffff), 2);
    return Buffer.concat([head, data.subarray(0, 0xffff)]);
  });
  const made = Buffer.concat(pieces).subarray(0, longest);
  return Buffer.concat([made, Buffer.alloc(Math.max(0, shortest - made.length))]);
}

/** Points the list of sheets at the new places of their first records. */
function moveSheets(entries: readonly Entry[]): Entry[] {
  const places = new Map<number, number>();
  let place = 0;
  for (const { at, data } of entries) {
    if (!places.has(at)) places.set(at, place);
    place += 4 + Math.min(data.length, 0xffff);
  }
  return entries.map((entry) => {
    const isSheet = entry.type === boundSheet && entry.data.length >= 4;
    const moved = isSheet ? places.get(entry.data.readUInt32LE(0)) : undefined;
    if (moved === undefined) return entry;
    const data = Buffer.from(entry.data);
    data.writeUInt32LE(moved, 0);
    return { ...entry, data };
  });
}

/** Replaces one record by others, or by none. */
function replaceOne(replacement: fc.Arbitrary<(entry: Entry) => Entry[]>): fc.Arbitrary<Change<Entry[]>> {
  return fc.tuple(fc.nat(), replacement).map(([number, replace]) => (entries) => {
    const at = number % Math.max(1, entries.length);
    const entry = entries[at];
    return entry ? entries.toSpliced(at, 1, ...replace(entry)) : entries;
  });
}

const changeData = (changes: fc.Arbitrary<Change<Buffer>>) =>
  changes.map((change) => (entry: Entry) => [{ ...entry, data: change(entry.data) }]);
const firstFields: fc.Arbitrary<Find> = fc.nat(11).map((offset) => () => offset);

const recordChanges = replaceOne(
  fc.oneof(
    { weight: 3, arbitrary: changeData(changeNumber(fc.oneof(firstFields, anywhere))) },
    { weight: 2, arbitrary: changeData(byteChanges) },
    fc.constantFrom(...types).map((type) => (entry: Entry) => [{ ...entry, type }]),
    fc.constant(() => []),
    fc.constantFrom(2, 10, 300, 20_000).map((times) => (entry: Entry) => {
      const most = Math.floor(longest / (entry.data.length + 4));
      return new Array<Entry>(Math.min(times, most)).fill(entry);
    }),
    fc
      .tuple(fc.constantFrom(1, 7, 300, 8224, 65_000), fc.constantFrom(0, 1, 0x41, 0xff))
      .map(([length, byte]) => (entry: Entry) => [
        { ...entry, data: Buffer.concat([entry.data, Buffer.alloc(length, byte)]) },
      ]),
    // A record that continues in the next one, cut anywhere.
    anywhere.map((find) => (entry: Entry) => {
      const cut = find(entry.data);
      return [
        { ...entry, data: entry.data.subarray(0, cut) },
        { type: continuation, data: entry.data.subarray(cut), at: -1 },
      ];
    }),
    fc
      .constantFrom(0, 1, 3, 0x2020, 0xfffe, 0xffff)
      .map((length) => (entry: Entry) => [{ ...entry, length }]),
  ),
);

/** .xls files with changed records, their sectors in order or not. */
export function mutateRecords(name: string, stream: Buffer): fc.Arbitrary<Buffer> {
  const layout = fc.record({ shift: fc.constantFrom(9 as const, 12 as const), scattered: fc.boolean() });
  return fc
    .tuple(
      mutate(() => split(stream), recordChanges, 6),
      fc.boolean(),
      layout,
    )
    .map(
      ([entries, moved, how]) =>
        makeCompoundFile(name, join(moved ? moveSheets(entries) : entries), how).bytes,
    );
}

/** A table of the header that a field there points to, and the offset of a number in the table. */
function inTable(pointer: number, most: number): fc.Arbitrary<Find> {
  return fc.nat(most).map((offset) => (bytes) => {
    if (bytes.length < 512) return -1;
    const size = bytes.readUInt16LE(30) === 12 ? 4096 : 512;
    return (bytes.readUInt32LE(pointer) + 1) * size + offset;
  });
}

/** Changes of a compound file's own structure: header, directory, tables of sectors. */
export const compoundChanges: fc.Arbitrary<Change<Buffer>> = fc.oneof(
  changeNumber(fc.integer({ min: 24, max: 84 }).map((offset) => () => offset)),
  changeNumber(inTable(48, 4 * 128)),
  changeNumber(inTable(60, 511)),
  { weight: 2, arbitrary: changeNumber(inTable(76, 511)) },
  byteChanges,
);
