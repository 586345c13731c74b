import type { Columns, RowOf } from './column-types.ts';
import type { Queryable } from './db.ts';
import type { Statement } from './statement.ts';

/**
 * All rows of a statement, some at a time, as they were when the first was read. Opens a transaction on the connection,
 * which is of no other use meanwhile.
 */
export function readBatches<C extends Columns>(
  client: Queryable,
  { text }: Statement<C>,
  values: unknown[],
  rowsAtOnce: number,
): AsyncGenerator<RowOf<C>[]> {
  return readAtOnce(client, async function* () {
    await client.query(`DECLARE batches NO SCROLL CURSOR FOR ${text}`, values);
    const fetch = () => client.query<RowOf<C>>(`FETCH ${rowsAtOnce} FROM batches`);
    let next = fetch();
    for (;;) {
      const { rows } = await next;
      if (rows.length === 0) return;
      // The database reads on while these rows are used.
      next = fetch();
      yield rows;
    }
  });
}

/** What `read` yields, all of it from the rows of one moment: its statements run in one transaction. */
export async function* readAtOnce<T>(client: Queryable, read: () => AsyncGenerator<T>): AsyncGenerator<T> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  yield* read();
  await client.query('COMMIT');
}

/** Ends a reading of `readBatches` before its end, so that the connection is of use again. */
export async function giveUpReading(client: Queryable): Promise<void> {
  await client.query('ROLLBACK');
}
