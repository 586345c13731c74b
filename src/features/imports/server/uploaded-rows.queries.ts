import type { Kysely } from 'kysely';
import type { Queryable } from '#server/db.ts';
import type { Schema } from '#server/schema.ts';

export type UploadedRow = Pick<Schema['serials'], 'position' | 'sheet_row' | 'serial'>;

/** The rows of a ticket within some positions, both ends included, in the order of the sheet. */
export function listUploadedRows(
  db: Kysely<Schema>,
  ticketId: number,
  lo: number,
  hi: number,
): Promise<UploadedRow[]> {
  return db
    .selectFrom('serials')
    .select(['position', 'sheet_row', 'serial'])
    .where('ticket_id', '=', ticketId)
    .where('position', '>=', lo)
    .where('position', '<=', hi)
    .orderBy('position')
    .execute();
}

/** Marks the uploaded rows of a locked ticket as deleted; one that has not ended is cancelled by that. */
export async function markSerialsDeleted(tx: Queryable, ticketId: number): Promise<void> {
  await tx.query(
    `UPDATE tickets SET serial_deleted = true, waiting_for = NULL, waiting_source = NULL,
       finished_at = CASE WHEN status IN ('Pending', 'Processing') THEN now() ELSE finished_at END,
       status = CASE WHEN status IN ('Pending', 'Processing') THEN 'Cancelled' ELSE status END
     WHERE id = $1`,
    [ticketId],
  );
}
