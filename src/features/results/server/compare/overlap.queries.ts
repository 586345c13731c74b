import { int4 } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

// Each row is read once, in the order in which it lies on the disk, into a hash table that spills: for two tickets of a
// million rows the time of four passes over one of them. Merging along the index of serials visits the rows all over the
// place, and takes two to four times as long.
const countShared = statement({
  text: `SELECT count(*) FILTER (WHERE in_first AND in_second)::integer AS both,
       count(*) FILTER (WHERE NOT in_second)::integer AS only_first,
       count(*) FILTER (WHERE NOT in_first)::integer AS only_second
     FROM (
       SELECT bool_or(ticket_id = $1) AS in_first, bool_or(ticket_id = $2) AS in_second
       FROM serials JOIN tickets ON tickets.id = ticket_id
       WHERE ticket_id IN ($1, $2) AND kind IS NOT NULL
         AND NOT coverage_deleted AND (state <> 'pending' OR NOT serial_deleted)
       GROUP BY serial
     ) AS told`,
  row: { both: int4, only_first: int4, only_second: int4 },
});

/** How many identifiers the seen rows of two tickets share, and how many one of them has alone. */
export function countSharedSerials(
  db: Queryable,
  firstTicketId: number,
  secondTicketId: number,
): Promise<{ both: number; only_first: number; only_second: number }> {
  return countShared.one(db, [firstTicketId, secondTicketId]);
}
