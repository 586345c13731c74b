import type { PoolClient } from 'pg';
import { type CopyStreamQuery, from } from 'pg-copy-streams';
import { type Columns, listColumns } from './column-types.ts';
import { statements } from './statement.ts';

/** Declares a COPY into columns of a table; it takes lines in the form of `toCopyLine`. */
export function copyInto(table: string, row: Columns): (tx: Pick<PoolClient, 'query'>) => CopyStreamQuery {
  const columns = listColumns(row);
  // The database describes no COPY, but reading the same columns.
  statements.push({ name: undefined, text: `SELECT ${columns} FROM ${table}`, row });
  return (tx) => tx.query(from(`COPY ${table} (${columns}) FROM STDIN`));
}
