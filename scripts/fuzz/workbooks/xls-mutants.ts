import fc from 'fast-check';
import { recordType } from '#server/sheet/xls/biff-records.ts';
import { makeCompoundFile } from '#tests/support/sheets/make-compound-file.ts';
import { changeNumbers, editList } from './edits.ts';

/** The longest stream, in bytes. */
const longest = 3_000_000;
/** Shorter streams would need mini sectors, which `makeCompoundFile` does not write. */
const shortest = 4096;

/** Generates .xls files with changed records, in scattered sectors or not. */
export function mutateRecords(name: string, stream: Buffer): fc.Arbitrary<Buffer> {
  const records = splitRecords(stream);
  const starts = records.map((_, place) => Buffer.concat(records.slice(0, place)).length);
  const made = fc
    .record({
      type: fc.constantFrom(...Object.values(recordType), 0xffff),
      data: fc.oneof(
        fc.constantFrom(...records).map((record) => record.subarray(4)),
        fc.uint8Array({ maxLength: 40 }),
        fc.constant(Buffer.alloc(8224, 'A')),
      ),
      length: fc.option(fc.nat(0xffff), { freq: 9 }),
    })
    .map(({ type, data, length }) => {
      const head = Buffer.alloc(4);
      head.writeUInt16LE(type);
      head.writeUInt16LE(length ?? data.length, 2);
      return Buffer.concat([head, data]);
    });
  const edited = editList(records, made).map((list) => moveSheets(records, starts, list));
  const streams = fc.oneof(edited, changeNumbers(stream, starts, 24));
  const layouts = fc.record({ shift: fc.constantFrom(9 as const, 12 as const), scattered: fc.boolean() });
  return fc.tuple(streams, layouts).map(([changed, layout]) => {
    const padding = Buffer.alloc(Math.max(0, shortest - changed.length));
    return makeCompoundFile(name, Buffer.concat([changed.subarray(0, longest), padding]), layout).bytes;
  });
}

function splitRecords(stream: Buffer): Buffer[] {
  const records: Buffer[] = [];
  for (let at = 0; at + 4 <= stream.length; ) {
    const end = at + 4 + stream.readUInt16LE(at + 2);
    records.push(stream.subarray(at, end));
    at = end;
  }
  return records;
}

/** Joins records, and updates the offsets of the worksheets in the list of sheets. */
function moveSheets(original: Buffer[], starts: number[], list: Buffer[]): Buffer {
  const firstOf = new Map(starts.map((start, place) => [start, original[place]]));
  const places = new Map<Buffer, number>();
  let place = 0;
  for (const record of list) {
    if (!places.has(record)) places.set(record, place);
    place += record.length;
  }
  const moved = list.map((record) => {
    if (record.length < 8 || record.readUInt16LE() !== recordType.boundSheet) return record;
    const first = firstOf.get(record.readUInt32LE(4));
    const now = first && places.get(first);
    if (now === undefined) return record;
    const made = Buffer.from(record);
    made.writeUInt32LE(now, 4);
    return made;
  });
  return Buffer.concat(moved);
}

/** Generates .xls files with changes in the compound file's own structure: the header, and the tables it points to. */
export function mutateCompound(bytes: Buffer): fc.Arbitrary<Buffer> {
  if (bytes.length < 512) return fc.constant(bytes);
  const size = bytes.readUInt16LE(30) === 12 ? 4096 : 512;
  const tables = [48, 60, 76].map((pointer) => (bytes.readUInt32LE(pointer) + 1) * size);
  return changeNumbers(bytes, [24, 24, 24, ...tables, ...tables.map((table) => table + 64)], 64);
}
