import { notify } from '#server/db/connection/notify.queries.ts';
import type { Queryable } from '#server/db/db.ts';
import {
  deleteJobsOfTicket,
  insertAllBlocks,
  insertPendingBlocks,
  lookupsChannel,
} from './jobs/lookup-jobs.queries.ts';

/**
 * Has the rows of a new ticket looked up once the transaction commits. Rows that already have a result (invalid
 * cells) are left alone.
 * @param lastPosition the highest `serials.position` of the ticket
 */
export async function enqueueLookups(
  tx: Queryable,
  { ticketId, lastPosition }: { ticketId: number; lastPosition: number },
): Promise<void> {
  await insertAllBlocks(tx, ticketId, lastPosition);
  await notify(tx, lookupsChannel, String(ticketId));
}

/**
 * Has every pending row of a ticket looked up (again) once the transaction commits; call it after the rows were reset
 * to `state = 'pending', attempts = 0, lookup = NULL` and the ticket's status and counters were set, with the ticket's
 * row locked.
 */
export async function requeueLookups(tx: Queryable, ticketId: number): Promise<void> {
  await deleteJobsOfTicket(tx, ticketId);
  await insertPendingBlocks(tx, ticketId);
  await notify(tx, lookupsChannel, String(ticketId));
}

/**
 * Ends a ticket's lookups in every worker once the transaction commits: call it with the ticket's row locked, in the
 * transaction that cancels the ticket or deletes it or its rows. Results that arrive after that are not written.
 */
export async function cancelLookups(tx: Queryable, ticketId: number): Promise<void> {
  await deleteJobsOfTicket(tx, ticketId);
  await notify(tx, 'tickets', String(ticketId));
}
