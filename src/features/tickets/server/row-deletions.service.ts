import type { Db, Queryable } from '#server/db.ts';
import {
  clearResults,
  deletePendingRows,
  deleteRowDeletion,
  deleteRows,
  findRowDeletion,
  insertRowDeletion,
  listRowDeletions,
  lockRowDeletion,
  type RowDeletion,
  unlockRowDeletion,
} from './row-deletions.queries.ts';

/** Positions per transaction: about a tenth of a second each. */
const positionsAtOnce = 10_000;

/**
 * Notes, in the transaction that sets `serial_deleted` or `coverage_deleted`, that rows have to go. Once it has
 * committed, call `deleteMarkedRows`; should that never happen, the next start does.
 */
export async function markRowDeletion(tx: Queryable, ticketId: number): Promise<void> {
  await insertRowDeletion(tx, ticketId);
}

/**
 * Deletes for real what a ticket's flags say is deleted: with the serials gone, rows without an outcome; with the
 * results gone, the outcomes; with both gone, the rows themselves. What the import's report tells, invalid cells and
 * duplicates, stays with the ticket. In bounded transactions, safe to repeat.
 */
export async function deleteMarkedRows(db: Db, ticketId: number): Promise<void> {
  const client = await db.connect();
  let broken: Error | undefined;
  try {
    await lockRowDeletion(client, ticketId);
    const deletion = await findRowDeletion(client, ticketId);
    if (deletion) await runDeletion(client, ticketId, deletion);
    await unlockRowDeletion(client, ticketId);
  } catch (error) {
    // The connection may still hold the lock.
    broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

async function runDeletion(client: Queryable, ticketId: number, deletion: RowDeletion): Promise<void> {
  const { serial_deleted, coverage_deleted, lo, hi, round } = deletion;
  const both = serial_deleted && coverage_deleted;
  const change = both ? deleteRows : serial_deleted ? deletePendingRows : clearResults;
  if (lo !== null && hi !== null) {
    for (let first = lo; first <= hi; first += positionsAtOnce) {
      await change(client, [ticketId, first, Math.min(hi, first + positionsAtOnce - 1)]);
    }
  }
  await deleteRowDeletion(client, ticketId, round);
}

/** Finishes every deletion that a crash interrupted. */
export async function resumeRowDeletions(db: Db): Promise<void> {
  for (const ticketId of await listRowDeletions(db)) await deleteMarkedRows(db, ticketId);
}
