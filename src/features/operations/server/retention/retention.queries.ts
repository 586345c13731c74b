import { int4, int8, timestamptz } from '#server/db/column-types.ts';
import { isNotPutOff, type WorkKind } from '#server/db/due-work.queries.ts';
import { statement } from '#server/db/statement.ts';

/** The tickets that ended before an instant and whose data of a kind was neither deleted nor put off, oldest end first. */
const listKept = (deleted: 'serial_deleted' | 'coverage_deleted', kind: WorkKind) =>
  statement({
    text: `SELECT id FROM tickets
       WHERE finished_at < :endedBefore AND status IN ('Completed', 'Cancelled') AND total > 0 AND NOT ${deleted}
         AND ${isNotPutOff(kind, 'id')}
       ORDER BY finished_at LIMIT :limit`,
    params: { endedBefore: timestamptz, limit: int8 },
    row: { id: int8 },
  });

/** List the oldest tickets that ended before an instant and still have uploaded rows or results. */
export const listOldTickets = {
  uploads: listKept('serial_deleted', 'old uploads'),
  results: listKept('coverage_deleted', 'old results'),
};

/** Returns the instant so many days ago by the database's clock, which wrote the ends of tickets. */
export const findDaysAgo = statement({
  text: 'SELECT now() - make_interval(days => :days) AS instant',
  params: { days: int4 },
  row: { instant: timestamptz },
});
