import { int8 } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const row = { id: int8 };

/** The tickets that ended before `$1` and whose data of a kind was not deleted, oldest end first, at most `$2`. */
const lists = {
  uploads: statement({
    text: `SELECT id FROM tickets
       WHERE finished_at < $1 AND status IN ('Completed', 'Cancelled') AND total > 0 AND NOT serial_deleted
       ORDER BY finished_at LIMIT $2`,
    row,
  }),
  results: statement({
    text: `SELECT id FROM tickets
       WHERE finished_at < $1 AND status IN ('Completed', 'Cancelled') AND total > 0 AND NOT coverage_deleted
       ORDER BY finished_at LIMIT $2`,
    row,
  }),
};

/** Lists the oldest tickets that ended before an instant and still have uploaded rows or results. */
export async function listOldTickets(
  db: Queryable,
  kind: keyof typeof lists,
  endedBefore: Date,
  limit: number,
): Promise<number[]> {
  return (await lists[kind].all(db, [endedBefore, limit])).map(({ id }) => id);
}
