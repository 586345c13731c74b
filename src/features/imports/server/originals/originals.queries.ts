import { bool, bytea, int4, int8, nullable, text } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/** Stores the facts of an uploaded file. @param sheetPart the part that was read; null for an .xls file */
export const insertOriginal = statement({
  text: 'INSERT INTO originals (ticket_id, sheet_part, header_row, has_macros) VALUES ($1, $2, $3, $4)',
}).runWith<[ticketId: number, sheetPart: string | null, headerRow: number | null, hasMacros: boolean]>();

export const insertOriginalChunk = statement({
  text: 'INSERT INTO original_chunks (ticket_id, nth, bytes) VALUES ($1, $2, $3)',
}).runWith<[ticketId: number, nth: number, bytes: Buffer]>();

/** Finds the facts of a ticket's uploaded file; undefined once it is deleted, and for tickets without a file. */
export const findOriginal = statement({
  text: 'SELECT sheet_part, header_row, has_macros FROM originals WHERE ticket_id = $1',
  row: { sheet_part: nullable(text), header_row: nullable(int4), has_macros: bool },
}).firstWith<[ticketId: number]>();

/** Finds a chunk of a ticket's uploaded file, from 0; undefined after the last. */
export const findOriginalChunk = statement({
  name: 'find-original-chunk',
  text: 'SELECT bytes FROM original_chunks WHERE ticket_id = $1 AND nth = $2',
  row: { bytes: bytea },
}).firstValueWith<[ticketId: number, nth: number]>();

/** Lists the tickets of the oldest files that are kept for more than so many days. */
export const listOldOriginals = statement({
  text: 'SELECT ticket_id FROM originals WHERE kept_at < now() - make_interval(days => $1) ORDER BY kept_at LIMIT $2',
  row: { ticket_id: int8 },
}).allValuesWith<[days: number, limit: number]>();
