import type { Columns, RowOf, ValuesOf } from '../column-types.ts';
import type { Queryable } from '../db.ts';
import type { Statement } from '../statement.ts';

/**
 * Reads all rows of a statement in batches, as of the first batch. A cursor WITH HOLD stores the result, so that no
 * transaction stays open for a slow reader. A connection can have one such cursor at a time.
 */
export async function* readBatches<C extends Columns, P extends Columns>(
  client: Queryable,
  { text, bind }: Statement<C, P>,
  values: ValuesOf<P>,
  rowsAtOnce: number,
): AsyncGenerator<RowOf<C>[]> {
  await client.query(`DECLARE batches NO SCROLL CURSOR WITH HOLD FOR ${text}`, bind(values));
  const fetch = () => client.query<RowOf<C>>(`FETCH ${rowsAtOnce} FROM batches`);
  let next = fetch();
  for (;;) {
    const { rows } = await next;
    if (rows.length === 0) break;
    // Prefetches the next batch while the caller uses this one.
    next = fetch();
    // The next `await` throws the error; until then it must not be an unhandled rejection.
    next.catch(() => undefined);
    yield rows;
  }
  await client.query('CLOSE batches');
}
