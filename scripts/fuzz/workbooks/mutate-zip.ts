import { inflateRawSync } from 'node:zlib';
import { withZip64Locator } from '#tests/support/make-workbook.ts';
import type { Random } from '../random.ts';
import { disturbField } from './mutate-bytes.ts';

const endBytes = 22;
const entryBytes = 46;
const mostInflated = 2 * 1024 * 1024;

/** Where a zip file's list stands, and each of its entries. */
type ZipMap = { end: number; entries: { at: number; local: number }[] };

function mapZip(bytes: Buffer): ZipMap | undefined {
  const end = bytes.lastIndexOf('PK\x05\x06');
  if (end < 0 || end + endBytes > bytes.length) return undefined;
  const entries: ZipMap['entries'] = [];
  for (let at = bytes.readUInt32LE(end + 16); entries.length < bytes.readUInt16LE(end + 10); ) {
    if (at + entryBytes > end || bytes.readUInt32BE(at) !== 0x504b0102) return undefined;
    const local = bytes.readUInt32LE(at + 42);
    if (local + 30 > bytes.length) return undefined;
    entries.push({ at, local });
    at +=
      entryBytes + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries.length > 0 ? { end, entries } : undefined;
}

/**
 * The parts of a zip file, in its order.
 * @returns undefined for what is no sound zip file, and where a part is larger than is worth changing
 */
export function unzip(bytes: Buffer): Map<string, Buffer> | undefined {
  const map = mapZip(bytes);
  if (!map || map.entries.length > 100) return undefined;
  const parts = new Map<string, Buffer>();
  try {
    for (const { at, local } of map.entries) {
      const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
      const packed = bytes.subarray(start, start + bytes.readUInt32LE(at + 20));
      const method = bytes.readUInt16LE(at + 10);
      const content = method === 8 ? inflateRawSync(packed, { maxOutputLength: mostInflated }) : packed;
      parts.set(bytes.toString('utf8', at + 46, at + 46 + bytes.readUInt16LE(at + 28)), content);
    }
  } catch {
    return undefined;
  }
  return parts;
}

/** Fields by their place and width: in the end record, an entry of the list, and the head before a part's bytes. */
type Field = readonly [at: number, width: 1 | 2 | 4];
const endFields: Field[] = [
  [4, 2],
  [6, 2],
  [8, 2],
  [10, 2],
  [12, 4],
  [16, 4],
  [20, 2],
];
const entryFields: Field[] = [
  ...([
    [4, 2],
    [6, 2],
    [8, 2],
    [10, 2],
    [12, 2],
    [16, 4],
    [20, 4],
    [24, 4],
    [28, 2],
  ] as const),
  ...([
    [30, 2],
    [32, 2],
    [34, 2],
    [36, 2],
    [38, 4],
    [42, 4],
  ] as const),
];
const localFields: Field[] = [
  [0, 4],
  [4, 2],
  [6, 2],
  [8, 2],
  [14, 4],
  [18, 4],
  [22, 4],
  [26, 2],
  [28, 2],
];

/** A zip file with odd numbers in its own structure: sizes, places, counts, names, methods. */
export function mutateZip(bytes: Buffer, random: Random): Buffer {
  const map = mapZip(bytes);
  if (!map) return bytes;
  const made = Buffer.from(bytes);
  const disturb = (start: number, fields: Field[]) => {
    const [at, width] = random.pick(fields);
    disturbField(made, start + at, width, random);
  };
  for (let left = random.between(1, 4); left > 0; left--) {
    const entry = random.pick(map.entries);
    const other = random.pick(map.entries);
    random.pick([
      () => disturb(map.end, endFields),
      () => disturb(entry.at, entryFields),
      () => disturb(entry.at, entryFields),
      () => disturb(entry.local, localFields),
      // Two entries at one place, of one size, or of one name.
      () => made.copyWithin(entry.at + 42, other.at + 42, other.at + 46),
      () => made.copyWithin(entry.at + 16, other.at + 16, other.at + 28),
      () => disturbField(made, entry.at + entryBytes + random.below(12), 1, random),
    ])();
  }
  if (!random.once(6)) return made;
  const place = random.pick([0n, BigInt(map.end), BigInt(made.length), 2n ** 32n, 2n ** 53n, 2n ** 64n - 1n]);
  return withZip64Locator(made.subarray(0, map.end + endBytes), place);
}
