import type { Column } from '../db/column-types.ts';
import { statement } from '../db/statement.ts';

/** A column whose values are sealed, or null, and the key column of its table. */
export type SealedPlace<Key> = {
  table: string;
  column: string;
  columnType: Column<string>;
  key: string;
  keyType: Column<Key>;
};

/** Declares the statements by which the values of a column are sealed by another key. */
export function declareSealedColumn<Key>({ table, column, columnType, key, keyType }: SealedPlace<Key>) {
  return {
    /** Finds a sealed value that matches none of the patterns `$1`. */
    findOther: statement({
      text: `SELECT ${column} AS value FROM ${table}
     WHERE starts_with(${column}, 'sealed.') AND NOT ${column} LIKE ANY ($1::text[]) LIMIT 1`,
      row: { value: columnType },
    }),
    /** Lists and locks the values that do not begin with `$1`. */
    listOthers: statement({
      text: `SELECT ${key} AS key, ${column} AS value FROM ${table} WHERE NOT starts_with(${column}, $1) FOR UPDATE`,
      row: { key: keyType, value: columnType },
    }),
    /** Sets the value `$2` of the key `$1`. */
    update: statement({ text: `UPDATE ${table} SET ${column} = $2 WHERE ${key} = $1` }),
  };
}
