import type { Columns, RowOf } from '../column-types.ts';
import type { Queryable } from '../db.ts';
import type { Statement } from '../statement.ts';

/**
 * Reads all rows of a statement in batches, as they were at the first batch. The database keeps the result, so that no
 * transaction is open while a slow reader takes the rows. One reading at a time per connection.
 */
export async function* readBatches<C extends Columns>(
  client: Queryable,
  { text }: Statement<C>,
  values: unknown[],
  rowsAtOnce: number,
): AsyncGenerator<RowOf<C>[]> {
  await client.query(`DECLARE batches NO SCROLL CURSOR WITH HOLD FOR ${text}`, values);
  const fetch = () => client.query<RowOf<C>>(`FETCH ${rowsAtOnce} FROM batches`);
  let next = fetch();
  for (;;) {
    const { rows } = await next;
    if (rows.length === 0) break;
    // The database reads on while these rows are used.
    next = fetch();
    yield rows;
  }
  await client.query('CLOSE batches');
}
