/** What the layout of a table has to know of a column. */
type Laid = { key: string; width: number; whole?: number; words?: object; pinned?: true };

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
 * The tracks of a grid: each column at least as wide as it must be; what room there is more goes to each by what its
 * content asks for, so that short badges take none from long titles. What has a width at which it is whole comes first,
 * one such column after another.
 * @param wanted pixels that the content of a column asks for, where it asks for more than the column must have
 */
export function layTracks(columns: readonly Laid[], look: Look, wanted: ReadonlyMap<string, number>): string {
  /** The least of all columns, and what those that came before need more to be whole. */
  let taken = sumWidths(columns, look);
  return columns
    .map(({ key, width, words, ...column }) => {
      const chosen = look.widths[key];
      const whole = words ? Math.max(width, wanted.get(key) ?? 0) : column.whole;
      if (chosen !== undefined) return `${chosen}px`;
      if (whole !== undefined) {
        const others = taken - width;
        taken += whole - width;
        return `clamp(${width}px, 100% - ${others}px, ${whole}px)`;
      }
      return `minmax(${width}px, ${Math.max(width, wanted.get(key) ?? 0)}fr)`;
    })
    .join(' ');
}

const widthOf = ({ key, width }: Laid, look: Look) => look.widths[key] ?? width;

/** The least width of the whole table. */
export function sumWidths(columns: readonly Laid[], look: Look): number {
  return columns.reduce((sum, column) => sum + widthOf(column, look), 0);
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
