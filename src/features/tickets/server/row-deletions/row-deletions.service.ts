import { Semaphore } from '#server/concurrency/semaphore.ts';
import type { Db, Queryable } from '#server/db/db.ts';
import {
  clearResults,
  deleteAllRows,
  deleteDuplicates,
  deletePendingRows,
  deleteRowDeletion,
  deleteRows,
  findRowDeletion,
  insertRowDeletion,
  listRowDeletions,
  type RowDeletion,
} from './row-deletions.queries.ts';

/** Positions per transaction: about a tenth of a second each. */
const positionsAtOnce = 10_000;

/** However many are asked for, so many transactions delete rows at once: the rest of the database is for the others. */
const turns = new Semaphore(2);
const never = new AbortController().signal;
/** The deletion that was asked for last, of each ticket that has one under way; the next one of it comes after. */
const last = new Map<number, Promise<void>>();

/**
 * Notes, in the transaction that sets `serial_deleted` or `coverage_deleted` or deletes the ticket, that rows have to go.
 * Once it has committed, call `deleteMarkedRows`; should that never happen, the next start does.
 */
export async function markRowDeletion(tx: Queryable, ticketId: number): Promise<void> {
  await insertRowDeletion(tx, ticketId);
}

/**
 * Deletes for real what a ticket's flags say is deleted: with the serials gone, rows without a result; with the
 * results gone, the results; with both gone, the rows themselves. What the import's report tells, invalid cells and
 * duplicates, stays with the ticket. Of a ticket that is gone, everything goes. In bounded transactions, safe to repeat.
 */
export async function deleteMarkedRows(db: Db, ticketId: number): Promise<void> {
  const before = last.get(ticketId) ?? Promise.resolve();
  const mine = before.catch(() => undefined).then(() => runDeletion(db, ticketId));
  last.set(ticketId, mine);
  try {
    await mine;
  } finally {
    if (last.get(ticketId) === mine) last.delete(ticketId);
  }
}

async function runDeletion(db: Db, ticketId: number): Promise<void> {
  const deletion = await inTurn(() => findRowDeletion(db, ticketId));
  if (!deletion) return;
  const { lo, hi, round } = deletion;
  if (lo !== null && hi !== null) {
    const change = changeOf(deletion);
    for (let first = lo; first <= hi; first += positionsAtOnce) {
      await inTurn(() => change(db, [ticketId, first, Math.min(hi, first + positionsAtOnce - 1)]));
    }
  }
  if (deletion.ticket_deleted) await inTurn(() => deleteDuplicates(db, ticketId));
  await deleteRowDeletion(db, ticketId, round);
}

function changeOf({ ticket_deleted, serial_deleted, coverage_deleted }: RowDeletion) {
  if (ticket_deleted) return deleteAllRows;
  if (serial_deleted && coverage_deleted) return deleteRows;
  return serial_deleted ? deletePendingRows : clearResults;
}

/** Takes a connection for one statement, so that long deletions take turns with short ones. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const end = await turns.take(never);
  try {
    return await work();
  } finally {
    end();
  }
}

/** Finishes every deletion that a crash, or a database that failed, interrupted. */
export async function resumeRowDeletions(db: Db): Promise<void> {
  for (const ticketId of await listRowDeletions(db)) await deleteMarkedRows(db, ticketId);
}
