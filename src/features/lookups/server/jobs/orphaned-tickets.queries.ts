import { int8 } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import { lookupQueue } from './lookup-jobs.queries.ts';

const orphaned = `status IN ('Pending', 'Processing') AND done + failed < total AND NOT EXISTS (
  SELECT FROM pgboss.job AS j WHERE j.name = $1 AND j.group_id = tickets.id::text AND j.state <= 'active')
  AND NOT EXISTS (SELECT FROM waiting_jobs AS w WHERE w.ticket_id = tickets.id)`;

const findOrphans = statement({
  text: `SELECT id FROM tickets WHERE ${orphaned}`,
  row: { id: int8 },
});

/** Tickets that have pending rows and no job. There are none unless somebody deleted jobs by hand. */
export async function findOrphanedTickets(db: Queryable): Promise<number[]> {
  const rows = await findOrphans.all(db, [lookupQueue]);
  return rows.map(({ id }) => id);
}

const lock = statement({
  text: 'SELECT FROM tickets WHERE id = $1 FOR NO KEY UPDATE',
});

const findOrphan = statement({
  text: `SELECT FROM tickets WHERE id = $2 AND ${orphaned}`,
});

/** Locks a ticket. @returns whether it still has pending rows and no job */
export async function lockOrphanedTicket(tx: Queryable, id: number): Promise<boolean> {
  await lock.run(tx, [id]);
  return (await findOrphan.run(tx, [lookupQueue, id])) === 1;
}
