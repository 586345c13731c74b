import { array, int4, int8, timestamptz } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/** The most spans of a history. Longer work has longer spans. */
const maxSpans = 24;

/**
 * Counts the rows of tickets finished in equal spans of whole minutes, from the first to the last minute with work,
 * oldest first. Spans without finished rows are included.
 */
export const listTicketHistory = statement({
  text: `WITH spans AS (
       SELECT ticket_id, min(minute) AS first, max(minute) AS last,
         ceil((extract(epoch FROM max(minute) - min(minute)) + 60) / 60 / ${maxSpans}) * interval '1 minute' AS span
       FROM ticket_minutes WHERE ticket_id = ANY(:ticketIds) GROUP BY ticket_id
     )
     SELECT s.ticket_id, g.start AS "from", coalesce(sum(m.finished), 0)::integer AS finished
     FROM spans s
     CROSS JOIN LATERAL generate_series(s.first, s.last, s.span) AS g (start)
     LEFT JOIN ticket_minutes m
       ON m.ticket_id = s.ticket_id AND m.minute >= g.start AND m.minute < g.start + s.span
     GROUP BY s.ticket_id, g.start ORDER BY s.ticket_id, g.start`,
  params: { ticketIds: array(int8) },
  row: { ticket_id: int8, from: timestamptz, finished: int4 },
});
