import { bool, int4, int8, nullable, type RowOf } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const insert = statement({
  text: `INSERT INTO row_deletions (ticket_id) VALUES ($1)
     ON CONFLICT (ticket_id) DO UPDATE SET round = row_deletions.round + 1`,
});

/** Notes that rows of a ticket are to be deleted by what its two flags say, or all of them, once it is gone. */
export async function insertRowDeletion(tx: Queryable, ticketId: number): Promise<void> {
  await insert.run(tx, [ticketId]);
}

const list = statement({ text: 'SELECT ticket_id FROM row_deletions', row: { ticket_id: int8 } });

export async function listRowDeletions(db: Queryable): Promise<number[]> {
  return (await list.all(db)).map((row) => row.ticket_id);
}

const find = statement({
  text: `SELECT d.round, t.id IS NULL AS ticket_deleted, coalesce(t.serial_deleted, true) AS serial_deleted,
       coalesce(t.coverage_deleted, true) AS coverage_deleted,
       (SELECT min(position) FROM serials WHERE ticket_id = d.ticket_id) AS lo,
       (SELECT max(position) FROM serials WHERE ticket_id = d.ticket_id) AS hi
     FROM row_deletions d LEFT JOIN tickets t ON t.id = d.ticket_id WHERE d.ticket_id = $1`,
  row: {
    round: int4,
    ticket_deleted: bool,
    serial_deleted: bool,
    coverage_deleted: bool,
    /** The lowest and highest position that is there; null without rows. */
    lo: nullable(int4),
    hi: nullable(int4),
  },
});

export type RowDeletion = RowOf<typeof find.row>;

export function findRowDeletion(db: Queryable, ticketId: number): Promise<RowDeletion | undefined> {
  return find.first(db, [ticketId]);
}

/** A range of positions of one ticket, both ends included. */
type Range = [ticketId: number, lo: number, hi: number];

const deleteAllRange = statement({
  text: 'DELETE FROM serials WHERE ticket_id = $1 AND position BETWEEN $2 AND $3',
});

/** Leaves nothing: the ticket is gone. */
export async function deleteAllRows(db: Queryable, range: Range): Promise<void> {
  await deleteAllRange.run(db, range);
}

const deleteDuplicatesOf = statement({ text: 'DELETE FROM duplicates WHERE ticket_id = $1' });

export async function deleteDuplicates(db: Queryable, ticketId: number): Promise<void> {
  await deleteDuplicatesOf.run(db, [ticketId]);
}

const deleteRange = statement({
  text: 'DELETE FROM serials WHERE ticket_id = $1 AND position BETWEEN $2 AND $3 AND kind IS NOT NULL',
});

/** Leaves invalid cells: the report of the import is whole as long as its ticket is there. */
export async function deleteRows(db: Queryable, range: Range): Promise<void> {
  await deleteRange.run(db, range);
}

const deletePendingRange = statement({
  text: `DELETE FROM serials WHERE ticket_id = $1 AND position BETWEEN $2 AND $3 AND state = 'pending'`,
});

export async function deletePendingRows(db: Queryable, range: Range): Promise<void> {
  await deletePendingRange.run(db, range);
}

const clearRange = statement({
  text: `UPDATE serials SET state = 'pending', reason = NULL, details = NULL, type = NULL, activation_status = NULL,
       purchase_date = NULL, warranty_title = NULL, coverage_start_date = NULL, coverage_end_date = NULL,
       fetched_at = NULL, source = NULL, attempts = 0, egress = NULL, cached = NULL, lookup = NULL
     WHERE ticket_id = $1 AND position BETWEEN $2 AND $3 AND state <> 'pending' AND kind IS NOT NULL`,
});

/** Makes rows what they were when they were uploaded; an invalid cell was never anything else. */
export async function clearResults(db: Queryable, range: Range): Promise<void> {
  await clearRange.run(db, range);
}

const end = statement({ text: 'DELETE FROM row_deletions WHERE ticket_id = $1 AND round = $2' });

/** Ends a deletion, unless it was asked for again meanwhile. */
export async function deleteRowDeletion(db: Queryable, ticketId: number, round: number): Promise<void> {
  await end.run(db, [ticketId, round]);
}
