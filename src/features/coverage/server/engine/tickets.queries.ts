import type { Queryable } from '#server/db.ts';

/** Which of these tickets must not be looked up any more: cancelled, completed or deleted. */
export async function findStoppedTickets(db: Queryable, ids: number[]): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `SELECT id FROM unnest($1::bigint[]) AS held(id) WHERE NOT EXISTS (
       SELECT FROM tickets AS t WHERE t.id = held.id AND t.status IN ('Pending', 'Processing'))`,
    [ids],
  );
  return rows.map(({ id }) => id);
}
