import { int4, int8, timestamptz } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/** The tickets that ended before an instant and whose data of a kind was not deleted, oldest end first. */
const listKept = (deleted: 'serial_deleted' | 'coverage_deleted') =>
  statement({
    text: `SELECT id FROM tickets
       WHERE finished_at < :endedBefore AND status IN ('Completed', 'Cancelled') AND total > 0 AND NOT ${deleted}
       ORDER BY finished_at LIMIT :limit`,
    params: { endedBefore: timestamptz, limit: int8 },
    row: { id: int8 },
  });

/** List the oldest tickets that ended before an instant and still have uploaded rows or results. */
export const listOldTickets = { uploads: listKept('serial_deleted'), results: listKept('coverage_deleted') };

/** Returns the instant so many days ago by the database's clock, which wrote the ends of tickets. */
export const findDaysAgo = statement({
  text: 'SELECT now() - make_interval(days => :days) AS instant',
  params: { days: int4 },
  row: { instant: timestamptz },
});
