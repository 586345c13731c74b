import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import { type Columns, listColumns } from '../column-types.ts';
import { statements } from '../statement.ts';

/** Inserts rows by one COPY, from lines of `toCopyLine`. */
export type Copy = (tx: pg.ClientBase, lines: Buffer) => Promise<void>;

export function copyInto(table: string, row: Columns): Copy {
  const columns = listColumns(row);
  // For the test of all statements: PostgreSQL cannot describe a COPY, but it can describe a SELECT of the same columns.
  statements.push({ name: undefined, text: `SELECT ${columns} FROM ${table}`, row, params: {} });
  return async (tx, lines) => {
    const copy = tx.query(from(`COPY ${table} (${columns}) FROM STDIN`));
    copy.end(lines);
    await finished(copy);
  };
}
