import { int4, int8, timestamptz } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/** The most spans of a history. Longer work has longer spans. */
const maxSpans = 24;

/**
 * Counts the rows of a ticket finished in equal spans of whole minutes, from the first to the last minute with work,
 * oldest first. Spans without finished rows are included.
 */
export const listTicketHistory = statement({
  text: `WITH spans AS (
       SELECT min(minute) AS first, max(minute) AS last,
         ceil((extract(epoch FROM max(minute) - min(minute)) + 60) / 60 / ${maxSpans}) * interval '1 minute' AS span
       FROM ticket_minutes WHERE ticket_id = :ticketId
     )
     SELECT g.start AS "from", coalesce(sum(m.finished), 0)::integer AS finished
     FROM spans s
     CROSS JOIN LATERAL generate_series(s.first, s.last, s.span) AS g (start)
     LEFT JOIN ticket_minutes m
       ON m.ticket_id = :ticketId AND m.minute >= g.start AND m.minute < g.start + s.span
     GROUP BY g.start ORDER BY g.start`,
  params: { ticketId: int8 },
  row: { from: timestamptz, finished: int4 },
});
