import type { Queryable } from '#server/db.ts';

/** Notes that rows of a ticket are to be deleted by what its two flags say. */
export async function insertRowDeletion(tx: Queryable, ticketId: number): Promise<void> {
  await tx.query(
    `INSERT INTO row_deletions (ticket_id) VALUES ($1)
     ON CONFLICT (ticket_id) DO UPDATE SET round = row_deletions.round + 1`,
    [ticketId],
  );
}

export async function listRowDeletions(db: Queryable): Promise<number[]> {
  const { rows } = await db.query<{ ticket_id: number }>('SELECT ticket_id FROM row_deletions');
  return rows.map((row) => row.ticket_id);
}

/** Lets one deletion of a ticket's rows go on at a time, until `unlockRowDeletion` on the same connection. */
export async function lockRowDeletion(client: Queryable, ticketId: number): Promise<void> {
  await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [`row deletion ${ticketId}`]);
}

export async function unlockRowDeletion(client: Queryable, ticketId: number): Promise<void> {
  await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [`row deletion ${ticketId}`]);
}

export type RowDeletion = {
  round: number;
  serial_deleted: boolean;
  coverage_deleted: boolean;
  /** The lowest and highest position that is there; null without rows. */
  lo: number | null;
  hi: number | null;
};

export async function findRowDeletion(client: Queryable, ticketId: number): Promise<RowDeletion | undefined> {
  const { rows } = await client.query<RowDeletion>(
    `SELECT d.round, t.serial_deleted, t.coverage_deleted,
       (SELECT min(position) FROM serials WHERE ticket_id = t.id) AS lo,
       (SELECT max(position) FROM serials WHERE ticket_id = t.id) AS hi
     FROM row_deletions d JOIN tickets t ON t.id = d.ticket_id WHERE d.ticket_id = $1`,
    [ticketId],
  );
  return rows[0];
}

/** A range of positions of one ticket, both ends included. */
type Range = [ticketId: number, lo: number, hi: number];

export async function deleteRows(client: Queryable, range: Range): Promise<void> {
  await client.query('DELETE FROM serials WHERE ticket_id = $1 AND position BETWEEN $2 AND $3', range);
}

export async function deletePendingRows(client: Queryable, range: Range): Promise<void> {
  await client.query(
    `DELETE FROM serials WHERE ticket_id = $1 AND position BETWEEN $2 AND $3 AND state = 'pending'`,
    range,
  );
}

/** Makes rows what they were when they were uploaded; an invalid cell was never anything else. */
export async function clearResults(client: Queryable, range: Range): Promise<void> {
  await client.query(
    `UPDATE serials SET state = 'pending', reason = NULL, details = NULL, type = NULL, activation_status = NULL,
       purchase_date = NULL, warranty_title = NULL, coverage_start_date = NULL, coverage_end_date = NULL,
       fetched_at = NULL, source = NULL, attempts = 0, egress = NULL, cached = NULL, lookup = NULL
     WHERE ticket_id = $1 AND position BETWEEN $2 AND $3 AND state <> 'pending' AND kind IS NOT NULL`,
    range,
  );
}

export async function deleteDuplicates(client: Queryable, ticketId: number): Promise<void> {
  await client.query('DELETE FROM duplicates WHERE ticket_id = $1', [ticketId]);
}

/** Ends a deletion, unless it was asked for again meanwhile. */
export async function deleteRowDeletion(client: Queryable, ticketId: number, round: number): Promise<void> {
  await client.query('DELETE FROM row_deletions WHERE ticket_id = $1 AND round = $2', [ticketId, round]);
}
