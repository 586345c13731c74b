import { date, int8, notNull, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const database = statement({
  text: `SELECT pg_database_size(current_database()) AS size_bytes, current_setting('server_version') AS version,
            (SELECT name FROM schema_migrations ORDER BY number DESC LIMIT 1) AS schema`,
  row: { size_bytes: int8, version: text, schema: notNull(text) },
});

/** Returns the size and version of the database, and its newest migration. */
export function readDatabase(
  db: Queryable,
): Promise<{ size_bytes: number; version: string; schema: string }> {
  return database.one(db);
}

const insertSize = statement({
  text: `INSERT INTO database_sizes (day, size_bytes) VALUES ($1, pg_database_size(current_database()))
     ON CONFLICT (day) DO NOTHING`,
});

/** Notes the size of the database, unless it was noted on that day. */
export async function noteDatabaseSize(db: Queryable, day: string): Promise<void> {
  await insertSize.run(db, [day]);
}

const earlierSizes = statement({
  text: `SELECT DISTINCT s.day, s.size_bytes FROM unnest('{1,7,30,365}'::integer[]) AS ago(days)
     CROSS JOIN LATERAL (
       SELECT day, size_bytes FROM database_sizes WHERE day <= $1::date - ago.days ORDER BY day DESC LIMIT 1) AS s
     ORDER BY s.day DESC`,
  row: { day: date, size_bytes: int8 },
});

/** Lists the sizes of the database a day, a week, a month and a year before a day, or the last ones before these. */
export function listEarlierSizes(
  db: Queryable,
  today: string,
): Promise<{ day: string; size_bytes: number }[]> {
  return earlierSizes.all(db, [today]);
}

const ticketNumbers = statement({
  text: 'SELECT id, ticket_number FROM tickets WHERE id = ANY($1)',
  row: { id: int8, ticket_number: int8 },
});

/** Returns the numbers of tickets by their ids. */
export async function findTicketNumbers(db: Queryable, ids: number[]): Promise<Map<number, number>> {
  const rows = await ticketNumbers.all(db, [ids]);
  return new Map(rows.map(({ id, ticket_number }) => [id, ticket_number]));
}
