import { openCompoundFile } from '#server/sheet/xls/compound-file.ts';
import { makeCompoundFile } from '#tests/support/make-compound-file.ts';
import type { Random } from '../random.ts';
import { disturbField, mutateBytes } from './mutate-bytes.ts';

/** The workbook stream of an .xls file; undefined where it has none, or none that can be read. */
export function readStream(bytes: Buffer): { name: string; stream: Buffer } | undefined {
  try {
    const file = openCompoundFile({
      length: bytes.length,
      read: (start, length) => bytes.subarray(start, start + length),
    });
    const name = ['Workbook', 'Book'].find((stream) => file.has(stream.toLowerCase()));
    if (!name) return undefined;
    const source = file.open(name.toLowerCase());
    return { name, stream: source.read(0, source.length) };
  } catch {
    return undefined;
  }
}

type Record = { type: number; data: Buffer; at: number };

/** Types that the reader looks at, and some that it passes over. */
const types = [
  ...[0x0006, 0x000a, 0x0022, 0x002f, 0x003c, 0x0042, 0x0085, 0x00bd, 0x00d6, 0x00fc, 0x00fd, 0x0201, 0x0203],
  ...[0x0204, 0x0205, 0x0207, 0x0208, 0x027e, 0x0809, 0x00be, 0x00e5, 0x01b6, 0xffff, 0x0000],
];
const boundSheet = 0x0085;
const most = 3_000_000;
/** Shorter streams would lie in small sectors. */
const leastStream = 4096;

function parse(stream: Buffer): Record[] {
  const records: Record[] = [];
  for (let at = 0; at + 4 <= stream.length; ) {
    const length = stream.readUInt16LE(at + 2);
    const type = stream.readUInt16LE(at);
    if (at + 4 + length > stream.length || (type === 0 && length === 0)) break;
    records.push({ type, data: Buffer.from(stream.subarray(at + 4, at + 4 + length)), at });
    at += 4 + length;
  }
  return records;
}

/** An .xls file of the same stream with changed records, its sectors in order or not. */
export function mutateBiff({ name, stream }: { name: string; stream: Buffer }, random: Random): Buffer {
  const records = parse(stream);
  const declared = new Map<Record, number>();
  for (let left = random.between(1, 6); left > 0 && records.length > 0; left--) {
    random.pick(changes)(records, random, declared);
  }
  if (!random.once(3)) moveSheets(records);
  const pieces = records.map((record) => {
    const head = Buffer.alloc(4);
    head.writeUInt16LE(record.type, 0);
    head.writeUInt16LE(declared.get(record) ?? Math.min(record.data.length, 0xffff), 2);
    return Buffer.concat([head, record.data.subarray(0, 0xffff)]);
  });
  const made = Buffer.concat(pieces).subarray(0, most);
  const whole = Buffer.concat([made, Buffer.alloc(Math.max(0, leastStream - made.length))]);
  return makeCompoundFile(name, whole, { shift: random.pick([9, 12]), scattered: random.once(4) }).bytes;
}

/** Lets the list of sheets point at where their first records came to stand. */
function moveSheets(records: Record[]): void {
  const places = new Map<number, number>();
  let place = 0;
  for (const { at, data } of records) {
    if (!places.has(at)) places.set(at, place);
    place += 4 + Math.min(data.length, 0xffff);
  }
  for (const { type, data } of records) {
    const moved = type === boundSheet && data.length >= 4 ? places.get(data.readUInt32LE(0)) : undefined;
    if (moved !== undefined) data.writeUInt32LE(moved, 0);
  }
}

type Change = (records: Record[], random: Random, declared: Map<Record, number>) => void;

const copyOf = (record: Record): Record => ({ ...record, data: Buffer.from(record.data) });

const disturbData: Change = (records, random) => {
  const { data } = random.pick(records);
  disturbField(data, random.below(random.once(2) ? Math.min(12, data.length) : data.length), 2, random);
};

const changes: Change[] = [
  disturbData,
  disturbData,
  disturbData,
  (records, random) => {
    random.pick(records).type = random.pick(types);
  },
  (records, random) => records.splice(random.below(records.length), random.pick([1, 1, 5])),
  (records, random) => {
    const times = random.pick([1, 1, 10, 300, 20_000]);
    const record = random.pick(records);
    const copies = Math.min(times, Math.floor(most / (record.data.length + 4)));
    const added = Array.from({ length: copies }, () => copyOf(record));
    records.splice(random.below(records.length), 0, ...added);
  },
  (records, random) => {
    const record = random.pick(records);
    record.data = Buffer.from(record.data.subarray(0, random.below(record.data.length)));
  },
  (records, random) => {
    const record = random.pick(records);
    const filler = Buffer.alloc(random.pick([1, 7, 300, 8224, 65_000]), random.pick([0, 1, 0x41, 0xff]));
    record.data = Buffer.concat([record.data, filler]);
  },
  // A record that goes on in the next one, cut anywhere.
  (records, random) => {
    const at = random.below(records.length);
    const record = records[at] as Record;
    const cut = random.below(record.data.length);
    const rest = { type: 0x3c, data: Buffer.from(record.data.subarray(cut)), at: -1 };
    record.data = Buffer.from(record.data.subarray(0, cut));
    records.splice(at + 1, 0, rest);
  },
  (records, random, declared) => {
    declared.set(random.pick(records), random.pick([0, 1, 3, 0x2020, 0xfffe, 0xffff]));
  },
  (records, random) => {
    const record = random.pick(records);
    record.data = mutateBytes(record.data, [record.data], random);
  },
];

/** Fields of a compound file's header: sector sizes, and where its tables begin and how long they are. */
const headerFields = [24, 26, 28, 30, 32, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84];
const entryFields = [64, 66, 68, 72, 76, 80, 116, 120, 124];

/** A compound file with odd numbers in its own structure: header, table of sectors, directory. */
export function mutateCompound(bytes: Buffer, random: Random): Buffer {
  const made = Buffer.from(bytes);
  const shift = made.readUInt16LE(30) === 12 ? 12 : 9;
  const size = 2 ** shift;
  const at = (sector: number) => (sector + 1) * size;
  const table = at(made.readUInt32LE(76));
  const directory = at(made.readUInt32LE(48));
  const small = at(made.readUInt32LE(60));
  const sectorCount = Math.floor(made.length / size);
  for (let left = random.between(1, 5); left > 0; left--) {
    random.pick([
      () => disturbField(made, random.pick(headerFields), random.pick([2, 4]), random),
      () => disturbField(made, directory + 128 * random.below(4) + random.pick(entryFields), 4, random),
      () => disturbField(made, directory + 128 * random.below(4) + random.below(64), 1, random),
      () => disturbField(made, small + 4 * random.below(size / 4), 4, random),
      () => disturbField(made, table + 4 * random.below(sectorCount), 4, random),
      // A chain that goes on elsewhere, or comes back.
      () => {
        const entry = table + 4 * random.below(sectorCount);
        if (entry + 4 <= made.length) made.writeUInt32LE(random.below(sectorCount), entry);
      },
      () => {
        const [from, to] = [at(random.below(sectorCount)), at(random.below(sectorCount))];
        made.copyWithin(to, from, from + size);
      },
    ])();
  }
  return random.once(8) ? made.subarray(0, random.between(512, made.length)) : made;
}
