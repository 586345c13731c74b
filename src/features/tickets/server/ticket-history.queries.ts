import type { Queryable } from '#server/db.ts';

/** The bars of a ticket's history at most; a ticket of days gets wider ones. */
const bars = 24;

/** Rows finished from an instant on, until the next entry's. */
export type HistoryRow = { ticket_id: number; from: Date; finished: number };

/**
 * How the work on tickets went: rows finished in even spans of whole minutes from the first to the last minute with
 * work, oldest first; spans in which nothing was finished are left out.
 */
export async function listTicketHistory(db: Queryable, ticketIds: number[]): Promise<HistoryRow[]> {
  const { rows } = await db.query<HistoryRow>(
    `WITH spans AS (
       SELECT ticket_id, min(minute) AS first,
         ceil((extract(epoch FROM max(minute) - min(minute)) + 60) / 60 / $2) * interval '1 minute' AS span
       FROM ticket_minutes WHERE ticket_id = ANY($1) GROUP BY ticket_id
     )
     SELECT m.ticket_id, date_bin(s.span, m.minute, s.first) AS "from", sum(m.finished)::integer AS finished
     FROM ticket_minutes m JOIN spans s ON s.ticket_id = m.ticket_id
     WHERE m.ticket_id = ANY($1)
     GROUP BY m.ticket_id, 2 ORDER BY m.ticket_id, 2`,
    [ticketIds, bars],
  );
  return rows;
}
