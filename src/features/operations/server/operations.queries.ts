import { array, date, int4, int8, notNull, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

export const readDatabase = statement({
  text: `SELECT pg_database_size(current_database()) AS size_bytes, current_setting('server_version') AS version,
            (SELECT name FROM schema_migrations ORDER BY number DESC LIMIT 1) AS schema`,
  row: { size_bytes: int8, version: text, schema: notNull(text) },
});

/**
 * Counts stored mails that failed and are tried again. The first attempt of the others may be running. A mail about the end of
 * a ticket that is retried is not tried again while the ticket runs.
 */
export const countFailingMails = statement({
  text: `SELECT count(*)::integer AS mails FROM (
       SELECT attempts FROM ticket_mails
       WHERE kind = 'waiting' OR (SELECT status FROM tickets WHERE id = ticket_id) IN ('Completed', 'Cancelled')
       UNION ALL SELECT attempts FROM watch_mails UNION ALL SELECT attempts FROM invoice_mails) AS stored WHERE attempts > 1`,
  row: { mails: int4 },
});

/** Notes the size of the database, unless it was noted on that day. */
export const noteDatabaseSize = statement({
  text: `INSERT INTO database_sizes (day, size_bytes) VALUES (:day, pg_database_size(current_database()))
     ON CONFLICT (day) DO NOTHING`,
  params: { day: date },
});

/** Lists the sizes of the database a day, a week, a month and a year before a day, or the last ones before these. */
export const listEarlierSizes = statement({
  text: `SELECT DISTINCT s.day, s.size_bytes FROM unnest('{1,7,30,365}'::integer[]) AS ago(days)
     CROSS JOIN LATERAL (
       SELECT day, size_bytes FROM database_sizes WHERE day <= :today::date - ago.days ORDER BY day DESC LIMIT 1) AS s
     ORDER BY s.day DESC`,
  params: { today: date },
  row: { day: date, size_bytes: int8 },
});

const ticketNumbers = statement({
  text: 'SELECT id, ticket_number FROM tickets WHERE id = ANY(:ids)',
  params: { ids: array(int8) },
  row: { id: int8, ticket_number: int8 },
});

export async function findTicketNumbers(db: Queryable, ids: number[]): Promise<Map<number, number>> {
  const rows = await ticketNumbers.all(db, { ids });
  return new Map(rows.map(({ id, ticket_number }) => [id, ticket_number]));
}
