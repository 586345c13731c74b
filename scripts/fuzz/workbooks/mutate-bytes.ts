import type { Random } from '../random.ts';

/** Numbers at the edges of what fields of 1, 2 and 4 bytes hold, and of what readers reckon with. */
const edges = [
  0, 1, 2, 3, 7, 8, 63, 64, 127, 128, 255, 256, 511, 512, 4095, 4096, 0x7fff, 0x8000, 0xfffe, 0xffff, 0x10000,
  0x7fffffff, 0x80000000, 0xfffffffa, 0xfffffffc, 0xfffffffd, 0xfffffffe, 0xffffffff,
];

/** Puts an odd number into a field: an edge, one beside what stood there, or one near the length of it all. */
export function disturbField(bytes: Buffer, at: number, width: 1 | 2 | 4, random: Random): void {
  if (at < 0 || at + width > bytes.length) return;
  const now = bytes.readUIntLE(at, width);
  const value = random.pick([
    random.pick(edges),
    now + random.between(-2, 2),
    now * 2,
    now ^ (1 << random.below(8 * width)),
    bytes.length + random.between(-4, 4),
    random.below(2 ** 32),
  ]);
  bytes.writeUIntLE((value >>> 0) % 256 ** width, at, width);
}

/** A copy of some bytes with a few changes that know nothing of what they mean. */
export function mutateBytes(bytes: Buffer, others: readonly Buffer[], random: Random): Buffer {
  let made = Buffer.from(bytes);
  for (let left = random.between(1, 6); left > 0; left--) made = random.pick(changes)(made, others, random);
  return made;
}

type Change = (bytes: Buffer, others: readonly Buffer[], random: Random) => Buffer<ArrayBuffer>;

const longestSlice = 4096;

function slice(bytes: Buffer, random: Random): [start: number, end: number] {
  const start = random.below(bytes.length);
  return [start, Math.min(bytes.length, start + random.between(1, random.pick([4, 64, longestSlice])))];
}

const flipBit: Change = (bytes, _, random) => {
  const made = Buffer.from(bytes);
  const at = random.below(made.length);
  if (at < made.length) made.writeUInt8(made.readUInt8(at) ^ (1 << random.below(8)), at);
  return made;
};

const field: Change = (bytes, _, random) => {
  const made = Buffer.from(bytes);
  const width = random.pick([1, 2, 4] as const);
  disturbField(made, random.below(made.length), width, random);
  return made;
};

const changes: Change[] = [
  flipBit,
  field,
  field,
  (bytes, _, random) => {
    const [start, end] = slice(bytes, random);
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
  },
  (bytes, _, random) => {
    const [start, end] = slice(bytes, random);
    return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)]);
  },
  (bytes, _, random) => {
    const [start, end] = slice(bytes, random);
    const made = Buffer.from(bytes);
    return made.fill(random.pick([0, 0xff, 0x20]), start, end);
  },
  (bytes, _, random) => Buffer.from(bytes.subarray(0, random.below(bytes.length))),
  (bytes, others, random) => {
    const other = random.pick(others);
    const [start, end] = slice(other, random);
    const at = random.below(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), other.subarray(start, end), bytes.subarray(at)]);
  },
];
