import fc from 'fast-check';
import { withZip64Locator } from '#tests/support/sheets/make-workbook.ts';
import { type Change, changeNumber, type Find } from './mutate-bytes.ts';

/** The first bytes of each structure, and how many of its bytes are fields or a part's name. */
const partHeader = { mark: 'PK\x03\x04', length: 42 };
const listEntry = { mark: 'PK\x01\x02', length: 58 };
const listEnd = { mark: 'PK\x05\x06', length: 22 };

/** Finds any of the structures with a mark. */
function structure(mark: string): fc.Arbitrary<Find> {
  return fc.nat(100).map((number) => (bytes) => {
    const places: number[] = [];
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) places.push(at);
    return places[number % places.length] ?? -1;
  });
}

function field({ mark, length }: typeof listEnd): fc.Arbitrary<Find> {
  return fc.tuple(structure(mark), fc.nat(length - 1)).map(([find, offset]) => (bytes) => {
    const start = find(bytes);
    return start < 0 ? -1 : start + offset;
  });
}

/** Fields of two entries that become equal: sizes and checksum, or the place of the part. */
const copiedFields = fc.constantFrom([16, 28] as const, [42, 46] as const);

/** Changes of a zip file's own structure: sizes, places, counts, names, methods. */
export const zipChanges: fc.Arbitrary<Change<Buffer>> = fc.oneof(
  changeNumber(field(listEnd)),
  changeNumber(field(partHeader)),
  { weight: 2, arbitrary: changeNumber(field(listEntry)) },
  fc
    .tuple(structure(listEntry.mark), structure(listEntry.mark), copiedFields)
    .map(([find, findOther, [start, end]]) => (bytes: Buffer) => {
      const [entry, other] = [find(bytes), findOther(bytes)];
      if (entry < 0) return bytes;
      const made = Buffer.from(bytes);
      made.copyWithin(entry + start, other + start, other + end);
      return made;
    }),
  fc
    .constantFrom(0n, 1000n, 2n ** 32n, 2n ** 53n, 2n ** 64n - 1n)
    .map((place) => (bytes: Buffer) => withZip64Locator(bytes, place)),
);
