import type { ReactNode } from 'react';
import type { Drawn } from './table-text-width.ts';

/** One column; declare columns outside the component, so that rows that did not change are not drawn again. */
export type Column<T> = {
  key: string;
  header: () => string;
  /** The least pixels. */
  width: number;
  align?: 'right';
  /** Cuts off what does not fit, at a letter or at a word; a text is then told by its title. Clipping costs a fifth of drawing 1000 rows, so only columns that need it say so. */
  clip?: true | 'word';
  /**
   * The words that it draws, and how: the column is never wider than the longest of them, and has that width before
   * others share what is left; with `last`, only after they are whole. Where the next column `givesWay`, rows that
   * `spill` draw over it and ask for no width.
   */
  words?: {
    of: (row: T) => string;
    as: Drawn | ((row: T) => Drawn);
    last?: true;
    spill?: (row: T) => boolean;
  };
  /** Says nothing in rows that `spill` the words of the column before it. */
  givesWay?: true;
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
