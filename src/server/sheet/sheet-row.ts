import type { SheetCell } from '#shared/identifier.ts';

/** A row with a value in at least one of the columns asked for; `cells[0]` is column A. `row` counts from 1. */
export type SheetRow = { row: number; cells: (SheetCell | undefined)[] };

export type SheetOptions = {
  /** How many columns are read, from A on. */
  columns: number;
  /** How many rows with a value are taken before the sheet counts as too long. */
  maxRows: number;
  /** Ends the reading; `readSheet` then throws its reason. */
  signal?: AbortSignal;
};

/** Takes some rows, in order. Reading goes on when the returned promise does; what it throws ends the reading. */
export type TakeRows = (rows: SheetRow[], sheet: { date1904: boolean }) => void | Promise<void>;
