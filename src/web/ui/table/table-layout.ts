/** What the layout of a table has to know of a column. */
type Laid = { key: string; width: number; words?: { last?: true }; pinned?: true };

/** How somebody wants a table's columns; what is not named stays as the table has it. */
export type Look = {
  order: readonly string[];
  hidden: readonly string[];
  pinned: readonly string[];
  /** Pixels. */
  widths: Readonly<Record<string, number>>;
};

export const plainLook: Look = { order: [], hidden: [], pinned: [], widths: {} };
export const narrowest = 48;
export const widest = 640;

/** Whether a column stays in sight: the one that tells the rows apart always does. */
export function isPinned(column: Laid, look: Look): boolean {
  return column.pinned === true || look.pinned.includes(column.key);
}

/** All columns in the order that is wanted; those that nobody has moved stay behind the ones before them. */
export function inOrder<C extends Laid>(columns: readonly C[], { order }: Pick<Look, 'order'>): C[] {
  const places = new Map(order.map((key, place) => [key, place]));
  return columns.toSorted((a, b) => (places.get(a.key) ?? 1000) - (places.get(b.key) ?? 1000));
}

/** The columns to be drawn, in order. The one that tells the rows apart cannot be hidden. */
export function chooseColumns<C extends Laid>(
  columns: readonly C[],
  look: Pick<Look, 'order' | 'hidden'>,
): C[] {
  return inOrder(columns, look).filter(({ key, pinned }) => pinned || !look.hidden.includes(key));
}

/**
 * The tracks of a grid: each column at least as wide as it must be. What is told in whole `words` gets the room that it
 * needs first, one column after another; then the others share what is left by what their content asks for; what comes
 * `last` becomes whole only where all of them are.
 * @param wanted pixels that the content of a column asks for, where it asks for more than the column must have
 */
export function layTracks(columns: readonly Laid[], look: Look, wanted: ReadonlyMap<string, number>): string {
  const wholeOf = (column: Laid) =>
    look.widths[column.key] ?? Math.max(column.width, wanted.get(column.key) ?? 0);
  const shares = ({ key, words }: Laid) => words === undefined && look.widths[key] === undefined;
  // Where no column takes what is left, the last one does.
  const taker = columns.some(shares) ? undefined : columns.at(-1);
  /** What is spoken for before a column of words gets more than its least, and before one that comes last does. */
  let first = sumWidths(columns, look);
  let last = columns.reduce(
    (sum, column) => sum + (column.words?.last ? widthOf(column, look) : wholeOf(column)),
    0,
  );
  return columns
    .map((column) => {
      const whole = wholeOf(column);
      const least = widthOf(column, look);
      if (column === taker || shares(column)) return `minmax(${least}px, ${whole}fr)`;
      if (whole === least) return `${whole}px`;
      const more = whole - least;
      const others = (column.words?.last ? last : first) - least;
      if (column.words?.last) last += more;
      else first += more;
      return `clamp(${least}px, 100% - ${others}px, ${whole}px)`;
    })
    .join(' ');
}

const widthOf = ({ key, width }: Laid, look: Look) => look.widths[key] ?? width;

/** The least width of the whole table. */
export function sumWidths(columns: readonly Laid[], look: Look): number {
  return columns.reduce((sum, column) => sum + widthOf(column, look), 0);
}

/** Pixels at which a long text can be told from others; where a table scrolls all the same, it has no less. */
const readable = 140;

/** The width of the whole table where it scrolls. */
export function sumReadable(
  columns: readonly Laid[],
  look: Look,
  wanted: ReadonlyMap<string, number>,
): number {
  return columns.reduce((sum, column) => {
    const asked = column.words ? 0 : Math.min(readable, wanted.get(column.key) ?? 0);
    return sum + (look.widths[column.key] ?? Math.max(column.width, asked));
  }, 0);
}

/** Where each pinned column stops when the others scroll beneath it: at the end of the pinned ones before it. */
export function findStops(columns: readonly Laid[], look: Look): ReadonlyMap<string, number> {
  const stops = new Map<string, number>();
  let next = 0;
  for (const column of columns) {
    if (!isPinned(column, look)) continue;
    stops.set(column.key, next);
    next += widthOf(column, look);
  }
  return stops;
}

/** The order after a column has been moved by one place among those that are there. */
export function moveColumn(keys: readonly string[], key: string, by: -1 | 1): string[] {
  const from = keys.indexOf(key);
  const to = from + by;
  const other = keys[to];
  if (from < 0 || other === undefined) return [...keys];
  return keys.map((each, place) => (place === from ? other : place === to ? key : each));
}
