import type { ReactNode } from 'react';

/** One column; declare columns outside the component, so that rows that did not change are not drawn again. */
export type Column<T> = {
  key: string;
  header: () => string;
  /** The least pixels; the table is laid out by these and by `text`, so that nothing moves when rows arrive. */
  width: number;
  /** Pixels at which its content is whole: it has them before others get more than their least. */
  whole?: number;
  align?: 'right';
  /** Cuts off what does not fit; a text is then told by its title. Clipping costs a fifth of drawing 1000 rows, so only columns that need it say so. */
  clip?: true;
  /** The words of what it draws with a mark: the column is whole at the width of the longest of them. */
  words?: { of: (row: T) => string; as: 'badge' | 'marked' };
  /** Tells the rows apart: it stays in sight while the others scroll. One column of a table at most. */
  pinned?: true;
  /** What a call sorts by for this column, where the screen's call can. */
  sort?: string;
  /** The serial of a row: it has a button that copies it, and rows can be selected for it. One column at most. */
  copy?: (row: T) => string;
  /** Where it stands on phones, in rows of two lines; the others are left out there. On all columns of a table or on none. */
  card?: 'box' | 'title' | 'state' | 'text' | 'more' | 'end' | 'none';
  cell: (row: T, index: number) => ReactNode;
};
