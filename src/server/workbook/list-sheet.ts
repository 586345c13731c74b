import type { Text } from '#server/http/errors/errors.ts';
import type { Locale } from '#shared/locale.ts';
import type { Cell } from './cell.ts';

/** The name and columns of a sheet. */
export type ListSheet<Row> = {
  name: Text;
  columns: { header: Text; width: number; cell(row: Row): Cell }[];
};

type ListHead = { name: Text; columns: { header: Text; width: number }[] };

/** Returns the name and heads of a sheet in a language. */
export function layOutHead({ name, columns }: ListHead, locale: Locale) {
  const heads = columns.map(({ header, width }) => ({ header: header({}, { locale }), width }));
  return { name: name({}, { locale }), columns: heads };
}

/** Writes the cells of a row. */
export const cellsOf = <Row>({ columns }: ListSheet<Row>, row: Row): Cell[] =>
  columns.map(({ cell }) => cell(row));
