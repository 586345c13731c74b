import { array, type Column, text } from '../db/column-types.ts';
import { statement } from '../db/statement.ts';

/** A column whose values are sealed, or null, and the key column of its table. */
export type SealedPlace = {
  table: string;
  column: string;
  columnType: Column<string>;
  key: string;
  keyType: Column<number> | Column<string>;
};

/** Declares the statements by which the values of a column are sealed by another key. */
export function declareSealedColumn({ table, column, columnType, key, keyType }: SealedPlace) {
  return {
    /** Finds a sealed value that matches none of the patterns. */
    findOther: statement({
      text: `SELECT ${column} AS value FROM ${table}
     WHERE starts_with(${column}, 'sealed.') AND NOT ${column} LIKE ANY (:patterns::text[]) LIMIT 1`,
      params: { patterns: array(text) },
      row: { value: columnType },
    }),
    /** Lists and locks the values that do not begin with a mark. */
    listOthers: statement({
      text: `SELECT ${key} AS key, ${column} AS value FROM ${table} WHERE NOT starts_with(${column}, :mark) FOR UPDATE`,
      params: { mark: text },
      row: { key: keyType, value: columnType },
    }),
    update: statement({
      text: `UPDATE ${table} SET ${column} = :value WHERE ${key} = :key`,
      params: { key: keyType, value: text },
    }),
  };
}
