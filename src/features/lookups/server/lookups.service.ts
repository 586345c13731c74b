import { notify } from '#server/db/connection/notify.queries.ts';
import type { Queryable } from '#server/db/db.ts';
import {
  countQueue,
  deleteJobsOfTicket,
  insertJobs,
  listPendingBlocks,
  lookupsChannel,
  type PendingBlock,
} from './jobs/lookup-jobs.queries.ts';
import { addFinishedRows, maxPositionsPerEntry } from './write/finished-rows.queries.ts';

export { addFinishedRows, countQueue, listPendingBlocks, maxPositionsPerEntry };

/**
 * Queues the rows of a ticket, once the transaction commits. Rows that already have a result (invalid cells) stay as they
 * are.
 * @param blocks `listPendingBlocks` of the ticket
 */
export async function enqueueLookups(tx: Queryable, ticketId: number, blocks: PendingBlock[]): Promise<void> {
  await insertJobs.run(tx, { ticketId, blocks });
  await notify(tx, lookupsChannel, String(ticketId));
}

/**
 * Queues every pending row of a ticket again, once the transaction commits. The caller has locked the ticket's row,
 * reset the rows to `state = 'pending', attempts = 0, lookup = NULL`, and set the ticket's status and counters.
 */
export async function requeueLookups(tx: Queryable, ticketId: number): Promise<void> {
  await deleteJobsOfTicket.run(tx, { ticketId });
  await enqueueLookups(tx, ticketId, await listPendingBlocks.all(tx, { ticketId }));
}

/**
 * Ends a ticket's lookups in every worker, once the transaction commits. The caller has locked the ticket's row and
 * cancels or deletes the ticket or its rows in this transaction. Later results are not written.
 */
export async function cancelLookups(tx: Queryable, ticketId: number): Promise<void> {
  await deleteJobsOfTicket.run(tx, { ticketId });
  await notify(tx, 'tickets', String(ticketId));
}
