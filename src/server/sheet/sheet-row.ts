import type { SheetCell } from '#shared/identifier.ts';

/** A row with a value in at least one of the requested columns; `cells[0]` is the first of them. `row` counts from 1. */
export type SheetRow = { row: number; cells: (SheetCell | undefined)[] };

export type SheetOptions = {
  /** The number of columns to read. */
  columns: number;
  /** The first of them, from 1; by default column A. */
  firstColumn?: number;
  /** Columns, from 1, in which a date, or a number whose format shows a day, is read as the text of the day, YYYY-MM-DD. */
  dayColumns?: readonly number[];
  /** The maximum number of rows with a value; one more is an error. By default all rows are read. */
  maxRows?: number;
  /** The last row of the sheet to read; by default all are read. */
  lastRow?: number;
  /** The name of the visible worksheet to read; by default the first. */
  sheet?: string;
  /** The path of the part of an .xlsx file to read, as `TakeRows` got it, instead of a name. */
  sheetPart?: string;
  /** Aborts the reading; `readSheet` then throws its reason. */
  signal?: AbortSignal;
};

/**
 * Receives the next rows, in order, and of an .xlsx file the path of their part and whether the file has macros. Reading
 * continues when its promise resolves, and ends when it throws.
 */
export type TakeRows = (
  rows: SheetRow[],
  from: { date1904: boolean; sheetPart?: string; hasMacros?: boolean },
) => void | Promise<void>;

export type SheetReader = {
  read(path: string, options: SheetOptions, take: TakeRows): Promise<void>;
  /** Lists the names of the visible worksheets, in order. @throws SheetError */
  list(path: string): Promise<string[]>;
};
