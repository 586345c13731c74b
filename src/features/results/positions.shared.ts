/** The longest accepted list of positions, in characters; a longer one does not fit into an address. */
export const maxPositionsLength = 12_000;

const form = /^[1-9]\d{0,9}(-[1-9]\d{0,9})?(,[1-9]\d{0,9}(-[1-9]\d{0,9})?)*$/;

/** Parses a list such as `1,4,10-25` into inclusive ranges. */
export function readPositions(list: string): [first: number, last: number][] {
  return list.split(',').map((part) => {
    const [first = '', last = first] = part.split('-');
    return [Number(first), Number(last)];
  });
}

/** Returns whether a text is a list of positions, each range in ascending order. */
export function isPositionList(text: string): boolean {
  return form.test(text) && readPositions(text).every(([first, last]) => first <= last);
}

/** Writes positions as the shortest list, each once: `1,4,10-25`. */
export function listPositions(positions: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const position of [...new Set(positions)].sort((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range?.[1] === position - 1) range[1] = position;
    else ranges.push([position, position]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}
