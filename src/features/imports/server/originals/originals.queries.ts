import { bytea, int4, int8, nullable, type RowOf, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const insertOne = statement({
  text: 'INSERT INTO originals (ticket_id, sheet_part, header_row) VALUES ($1, $2, $3)',
});

/** Stores the facts of an uploaded file. @param sheetPart the part that was read; null for an .xls file */
export async function insertOriginal(
  tx: Queryable,
  ticketId: number,
  sheetPart: string | null,
  headerRow: number | null,
): Promise<void> {
  await insertOne.run(tx, [ticketId, sheetPart, headerRow]);
}

const insertChunk = statement({
  text: 'INSERT INTO original_chunks (ticket_id, nth, bytes) VALUES ($1, $2, $3)',
});

export async function insertOriginalChunk(
  tx: Queryable,
  ticketId: number,
  nth: number,
  bytes: Buffer,
): Promise<void> {
  await insertChunk.run(tx, [ticketId, nth, bytes]);
}

const find = statement({
  text: 'SELECT sheet_part, header_row FROM originals WHERE ticket_id = $1',
  row: { sheet_part: nullable(text), header_row: nullable(int4) },
});

export type Original = RowOf<typeof find.row>;

/** Finds the facts of a ticket's uploaded file; undefined once it is deleted, and for tickets without a file. */
export function findOriginal(db: Queryable, ticketId: number): Promise<Original | undefined> {
  return find.first(db, [ticketId]);
}

const findChunk = statement({
  name: 'find-original-chunk',
  text: 'SELECT bytes FROM original_chunks WHERE ticket_id = $1 AND nth = $2',
  row: { bytes: bytea },
});

/** Finds a chunk of a ticket's uploaded file, from 0; undefined after the last. */
export async function findOriginalChunk(
  db: Queryable,
  ticketId: number,
  nth: number,
): Promise<Buffer | undefined> {
  return (await findChunk.first(db, [ticketId, nth]))?.bytes;
}

const listOld = statement({
  text: 'SELECT ticket_id FROM originals WHERE kept_at < now() - make_interval(days => $1) ORDER BY kept_at LIMIT $2',
  row: { ticket_id: int8 },
});

/** Lists the tickets of the oldest files that are kept for more than so many days. */
export async function listOldOriginals(db: Queryable, days: number, limit: number): Promise<number[]> {
  return (await listOld.all(db, [days, limit])).map((row) => row.ticket_id);
}
