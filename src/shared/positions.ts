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
