import fc from 'fast-check';

/** Returns a changed copy; the original stays as it is. */
export type Change<T> = (original: T) => T;

/** Up to `most` changes, one after the other. A failing mutant shrinks to fewer and simpler changes. */
export function mutate<T>(original: () => T, change: fc.Arbitrary<Change<T>>, most: number): fc.Arbitrary<T> {
  const changes = fc.array(change, { minLength: 1, maxLength: most });
  return changes.map((list) => list.reduce((made, apply) => apply(made), original()));
}

/** Finds an offset in a file; -1 if the file has no such place. */
export type Find = (bytes: Buffer) => number;

/** Any offset of a file. */
export const anywhere: fc.Arbitrary<Find> = fc
  .nat()
  .map((place) => (bytes) => place % Math.max(1, bytes.length));

/** Numbers that readers get wrong: edges of 8, 16 and 32 bits, and those near the old number or the file's length. */
const oddNumbers: fc.Arbitrary<(now: number, length: number) => number> = fc.oneof(
  fc.tuple(fc.nat(32), fc.integer({ min: -3, max: 3 })).map(
    ([power, off]) =>
      () =>
        2 ** power + off,
  ),
  fc.integer({ min: -2, max: 2 }).map((off) => (now: number) => now + off),
  fc.nat(31).map((bit) => (now: number) => now ^ (1 << bit)),
  fc.integer({ min: -4, max: 4 }).map((off) => (_: number, length: number) => length + off),
  fc.nat().map((number) => () => number),
);

/** Writes an odd number at a place. */
export function changeNumber(place: fc.Arbitrary<Find>): fc.Arbitrary<Change<Buffer>> {
  return fc.tuple(place, fc.constantFrom(1, 2, 4), oddNumbers).map(([find, width, choose]) => (bytes) => {
    const at = find(bytes);
    if (at < 0 || at + width > bytes.length) return bytes;
    const made = Buffer.from(bytes);
    const value = choose(made.readUIntLE(at, width), made.length);
    made.writeUIntLE((value >>> 0) % 256 ** width, at, width);
    return made;
  });
}

const slices = fc
  .tuple(anywhere, fc.constantFrom(1, 4, 64, 4096))
  .map(([find, length]) => (bytes: Buffer) => {
    const start = find(bytes);
    return [start, Math.min(bytes.length, start + length)] as const;
  });

/** Changes that know nothing of what the bytes mean. */
export const byteChanges: fc.Arbitrary<Change<Buffer>> = fc.oneof(
  { weight: 3, arbitrary: changeNumber(anywhere) },
  slices.map((find) => (bytes: Buffer) => {
    const [start, end] = find(bytes);
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
  }),
  fc.tuple(slices, anywhere).map(([findSlice, findPlace]) => (bytes: Buffer) => {
    const [start, end] = findSlice(bytes);
    const at = findPlace(bytes);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(start, end), bytes.subarray(at)]);
  }),
  fc.tuple(slices, fc.constantFrom(0, 0x20, 0xff)).map(([find, byte]) => (bytes: Buffer) => {
    return Buffer.from(bytes).fill(byte, ...find(bytes));
  }),
  anywhere.map((find) => (bytes: Buffer) => bytes.subarray(0, find(bytes))),
);
