import type { Queryable } from '#server/db.ts';
import { conditionOf, type RowFilter, resultColumns, type SerialRow, seenRows } from './coverage-rows.ts';

const columns = resultColumns.join(', ');

/** The lowest and highest position of a ticket's rows; null without rows. Two looks into an index. */
export async function findBounds(
  db: Queryable,
  ticketId: number,
): Promise<{ lo: number | null; hi: number | null }> {
  const { rows } = await db.query(
    'SELECT min(position) AS lo, max(position) AS hi FROM serials WHERE ticket_id = $1',
    [ticketId],
  );
  return rows[0];
}

/** The rows of a range of positions, both ends included, in the order of the sheet. */
export async function listRowRange(
  db: Queryable,
  ticketId: number,
  lo: number,
  hi: number,
): Promise<SerialRow[]> {
  const { rows } = await db.query<SerialRow>(
    `SELECT ${columns} FROM ${seenRows} AND position BETWEEN $2 AND $3 ORDER BY position`,
    [ticketId, lo, hi],
  );
  return rows;
}

export type RowSearch = { ticketId: number; filter: RowFilter; q: string | undefined };

/** One page of the rows that a search finds, in the order of the sheet. */
export async function listFoundRows(
  db: Queryable,
  { ticketId, filter, q }: RowSearch,
  limit: number,
  offset: number,
): Promise<SerialRow[]> {
  const { rows } = await db.query<SerialRow>(
    `SELECT ${columns} FROM ${seenRows} ${conditionOf(filter)} AND ($2::text IS NULL OR strpos(serial, $2) > 0)
     ORDER BY position LIMIT $3 OFFSET $4`,
    [ticketId, q ?? null, limit, offset],
  );
  return rows;
}

export async function countFoundRows(db: Queryable, { ticketId, filter, q }: RowSearch): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*) FROM ${seenRows} ${conditionOf(filter)} AND ($2::text IS NULL OR strpos(serial, $2) > 0)`,
    [ticketId, q ?? null],
  );
  return rows[0]?.count ?? 0;
}

/** Marks a ticket's results as deleted, and forgets what was counted from them for the pictures on Home. */
export async function markCoverageDeleted(tx: Queryable, ticketId: number): Promise<void> {
  await tx.query('UPDATE tickets SET coverage_deleted = true WHERE id = $1', [ticketId]);
  await tx.query('DELETE FROM ticket_end_months WHERE ticket_id = $1', [ticketId]);
}
