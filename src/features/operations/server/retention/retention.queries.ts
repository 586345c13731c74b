import { int8, timestamptz } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/** The tickets that ended before `$1` and whose data of a kind was not deleted, oldest end first, at most `$2`. */
const listKept = (deleted: 'serial_deleted' | 'coverage_deleted') =>
  statement({
    text: `SELECT id FROM tickets
       WHERE finished_at < $1 AND status IN ('Completed', 'Cancelled') AND total > 0 AND NOT ${deleted}
       ORDER BY finished_at LIMIT $2`,
    row: { id: int8 },
  }).allValuesWith<[endedBefore: Date, limit: number]>();

/** List the oldest tickets that ended before an instant and still have uploaded rows or results. */
export const listOldTickets = { uploads: listKept('serial_deleted'), results: listKept('coverage_deleted') };

/** Returns the instant so many days ago by the database's clock, which wrote the ends of tickets. */
export const findDaysAgo = statement({
  text: 'SELECT now() - make_interval(days => $1) AS instant',
  row: { instant: timestamptz },
}).valueWith<[days: number]>();
