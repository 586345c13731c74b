import type { Queryable } from '#server/db.ts';
import { lookupQueue } from './lookup-jobs.queries.ts';

const orphaned = `status IN ('Pending', 'Processing') AND done + failed < total AND NOT EXISTS (
  SELECT FROM pgboss.job AS j WHERE j.name = $1 AND j.group_id = tickets.id::text AND j.state <= 'active')`;

/** Tickets that have pending rows and no job. There are none unless somebody deleted jobs by hand. */
export async function findOrphanedTickets(db: Queryable): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(`SELECT id FROM tickets WHERE ${orphaned}`, [lookupQueue]);
  return rows.map(({ id }) => id);
}

/** Locks a ticket. @returns whether it still has pending rows and no job */
export async function lockOrphanedTicket(tx: Queryable, id: number): Promise<boolean> {
  await tx.query('SELECT FROM tickets WHERE id = $1 FOR NO KEY UPDATE', [id]);
  const { rowCount } = await tx.query(`SELECT FROM tickets WHERE id = $2 AND ${orphaned}`, [lookupQueue, id]);
  return rowCount === 1;
}
