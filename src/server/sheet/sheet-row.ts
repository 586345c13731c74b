import type { SheetCell } from '#shared/identifier.ts';

/** A row with a value in at least one of the requested columns; `cells[0]` is column A. `row` counts from 1. */
export type SheetRow = { row: number; cells: (SheetCell | undefined)[] };

export type SheetOptions = {
  /** How many columns to read, from A on. */
  columns: number;
  /** The most rows with a value; one more is an error. */
  maxRows: number;
  /** Aborts the reading; `readSheet` then throws its reason. */
  signal?: AbortSignal;
};

/** Receives the next rows, in order. Reading continues when its promise resolves, and ends when it throws. */
export type TakeRows = (rows: SheetRow[], sheet: { date1904: boolean }) => void | Promise<void>;
