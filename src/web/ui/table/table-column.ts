import type { ReactNode } from 'react';

/**
 * Widths of each kind of column in pixels. A column grows from `least` to `most`. Columns with `most: 'rest'` share the
 * remaining width in proportion to `least`. Each cell is one line; a text that does not fit ends in an ellipsis, except `prose`.
 */
export const kinds = {
  /** The number of a row, up to 999,999. */
  index: { least: 68, most: 68 },
  number: { least: 82, most: 82 },
  serial: { least: 152, most: 152 },
  code: { least: 96, most: 130 },
  day: { least: 92, most: 92 },
  instant: { least: 150, most: 150 },
  state: { least: 122, most: 172 },
  text: { least: 110, most: 'rest' },
  /** A text that is read whole, in as many lines as it needs. */
  prose: { least: 320, most: 'rest' },
  progress: { least: 96, most: 'rest' },
  action: { least: 92, most: 110 },
} as const;

/** One column. Declare columns outside the component, so that unchanged rows are not drawn again. */
export type Column<T> = {
  key: string;
  header: () => string;
  /** Decides width, alignment and line breaks. */
  kind: keyof typeof kinds;
  /** The least pixels, where those of the kind do not suit. */
  width?: number;
  /** Identifies the rows: it stays in sight while the others scroll, and cannot be hidden. At most one column. */
  pinned?: true;
  /** The name that the screen's call sorts by, if it can. */
  sort?: string;
  /** The serial of a row. It gets a copy button, and rows can be selected. At most one column. */
  copy?: (row: T) => string;
  /**
   * Its place in the two-line rows of phones, which a table has if all of its columns have one. `line`: a text that takes
   * the second line. `below`: a line of its own with its head, if the row has a value.
   */
  card?: 'box' | 'title' | 'state' | 'text' | 'line' | 'more' | 'end' | 'menu' | 'below' | 'none';
  cell: (row: T, index: number) => ReactNode;
};
