import fc from 'fast-check';

/** The maximum size of a repeated run, in bytes or characters: small enough for thousands of mutants. */
const longest = 1_500_000;

/** Generates a list with a few edits anywhere: items replaced by others, or runs of items removed or repeated. */
export function editList<T extends { length: number }>(
  list: readonly T[],
  item: fc.Arbitrary<T>,
): fc.Arbitrary<T[]> {
  const edit = fc.record({
    at: fc.nat(),
    removed: fc.nat(2),
    inserted: fc.array(item, { maxLength: 2 }),
    run: fc.integer({ min: 1, max: 12 }),
    times: fc.constantFrom(0, 0, 0, 1, 300, 20_000),
  });
  return fc.array(edit, { minLength: 1, maxLength: 4 }).map((edits) =>
    edits.reduce<T[]>(
      (made, { at, removed, inserted, run, times }) => {
        const place = at % (made.length + 1);
        const copied = made.slice(place, place + run);
        const size = copied.reduce((sum, { length }) => sum + length, 1);
        const repeated = Array<T[]>(Math.floor(Math.min(times, longest / size))).fill(copied);
        return [...made.slice(0, place), ...inserted, ...repeated.flat(), ...made.slice(place + removed)];
      },
      [...list],
    ),
  );
}

/**
 * Generates a file with a few changed numbers near its anchors, which are the offsets of its structures. A number becomes
 * any other, changes a little, or becomes that of another structure.
 */
export function changeNumbers(bytes: Buffer, anchors: readonly number[], span: number): fc.Arbitrary<Buffer> {
  const change = fc.record({
    anchor: fc.constantFrom(...anchors),
    other: fc.constantFrom(...anchors),
    offset: fc.nat(span - 1),
    width: fc.constantFrom(1, 2, 4),
    number: fc.oneof(fc.integer(), fc.integer({ min: -3, max: 3 })),
    from: fc.constantFrom('nothing', 'itself', 'another'),
  });
  return fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) => {
    const made = Buffer.from(bytes);
    for (const { anchor, other, offset, width, number, from } of changes) {
      const base = { nothing: undefined, itself: anchor, another: other }[from];
      if (Math.max(anchor, other) + offset + width > made.length) continue;
      const value = (base === undefined ? 0 : made.readUIntLE(base + offset, width)) + number;
      made.writeUIntLE((value >>> 0) % 256 ** width, anchor + offset, width);
    }
    return made;
  });
}

/** Returns the offsets of a text in a file. */
export function findAll(bytes: Buffer, text: string): number[] {
  const offsets: number[] = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) offsets.push(at);
  return offsets;
}
