import type { Columns, RowOf } from './column-types.ts';
import type { Queryable } from './db.ts';
import type { Statement } from './statement.ts';

/**
 * All rows of a statement, some at a time, as they were when the first was read. Opens a transaction on the connection,
 * which is of no other use meanwhile.
 */
export async function* readBatches<C extends Columns>(
  client: Queryable,
  { text }: Statement<C>,
  values: unknown[],
  rowsAtOnce: number,
): AsyncGenerator<RowOf<C>[]> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await client.query(`DECLARE batches NO SCROLL CURSOR FOR ${text}`, values);
  const fetch = () => client.query<RowOf<C>>(`FETCH ${rowsAtOnce} FROM batches`);
  let next = fetch();
  for (;;) {
    const { rows } = await next;
    if (rows.length === 0) break;
    // The database reads on while these rows are used.
    next = fetch();
    yield rows;
  }
  await client.query('COMMIT');
}

/** Ends a reading of `readBatches` before its end, so that the connection is of use again. */
export async function giveUpReading(client: Queryable): Promise<void> {
  await client.query('ROLLBACK');
}
