import type { Cell } from './cell.ts';

/** The name and columns of a sheet. */
export type ListSheet<Row> = {
  name: string;
  columns: { header: string; width: number; cell(row: Row): Cell }[];
};

/** Writes the cells of a row. */
export const cellsOf = <Row>({ columns }: ListSheet<Row>, row: Row): Cell[] =>
  columns.map(({ cell }) => cell(row));
