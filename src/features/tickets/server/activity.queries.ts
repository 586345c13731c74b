import type { Queryable } from '#server/db.ts';
import type { Scope, TicketRow } from './tickets.queries.ts';

/** All running tickets as one: how many, how far, and whether the oldest waits because all of them do. */
export type RunningRow = Pick<TicketRow, 'waiting_for' | 'waiting_source'> & {
  running: number;
  ticket_number: number | null;
  percent: number | null;
  as_of: Date;
};

/** What of the tickets with rows in the scope is Pending or Processing; always one row. */
export async function sumRunningTickets(db: Queryable, scope: Scope): Promise<RunningRow> {
  const { rows } = await db.query<RunningRow>(
    `WITH running AS (
       SELECT * FROM tickets
       WHERE status IN ('Pending', 'Processing') AND total > 0 AND ($1::text IS NULL OR company_code = $1)
     ), oldest AS (
       SELECT ticket_number, waiting_for, waiting_source FROM running
       WHERE NOT EXISTS (SELECT FROM running WHERE waiting_for IS NULL)
       ORDER BY ticket_number LIMIT 1
     )
     SELECT s.*, oldest.waiting_for, oldest.waiting_source, now() AS as_of
     FROM (SELECT count(*)::int AS running, min(ticket_number) AS ticket_number,
             CASE WHEN count(*) > 0 THEN least(99, sum(done + failed) * 100 / sum(total))::int END AS percent
           FROM running) s
     LEFT JOIN oldest ON true`,
    [scope],
  );
  const [row] = rows;
  if (!row) throw new Error('an aggregate answered no row');
  return row;
}

/**
 * The tickets in the scope that were completed last, from one minute before an instant on: what ends in a transaction
 * is seen only after it, by then with an instant that has passed.
 */
export async function listCompletedSince(
  db: Queryable,
  scope: Scope,
  since: string | undefined,
  limit: number,
): Promise<{ ticket_number: number; finished_at: Date }[]> {
  const { rows } = await db.query<{ ticket_number: number; finished_at: Date }>(
    `SELECT ticket_number, finished_at FROM tickets
     WHERE status = 'Completed' AND finished_at > coalesce($2::timestamptz, now()) - interval '1 minute'
       AND ($1::text IS NULL OR company_code = $1)
     ORDER BY finished_at DESC LIMIT $3`,
    [scope, since ?? null, limit],
  );
  return rows;
}
