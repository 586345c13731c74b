/** The longest list of positions that is taken; more would not fit in an address. */
export const longestPositions = 12_000;

const form = /^[1-9]\d{0,9}(-[1-9]\d{0,9})?(,[1-9]\d{0,9}(-[1-9]\d{0,9})?)*$/;

/** The ranges of a list like `1,4,10-25`, both ends included. */
export function readPositions(list: string): [first: number, last: number][] {
  return list.split(',').map((part) => {
    const [first = '', last = first] = part.split('-');
    return [Number(first), Number(last)];
  });
}

/** Whether a text is a list of positions; a range begins with its lower end. */
export function isPositionList(text: string): boolean {
  return form.test(text) && readPositions(text).every(([first, last]) => first <= last);
}

/** A list of positions, each once and as short as it can be: `1,4,10-25`. */
export function listPositions(positions: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const position of [...new Set(positions)].sort((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range?.[1] === position - 1) range[1] = position;
    else ranges.push([position, position]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}
