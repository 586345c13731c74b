import { array, bool, bytea, int4, int8, nullable, text } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/** Stores the facts of an uploaded file. @param sheetPart the part that was read; null for an .xls file */
export const insertOriginal = statement({
  text: `INSERT INTO originals (ticket_id, sheet_part, header_row, has_macros, field_keys)
     VALUES (:ticketId, :sheetPart, :headerRow, :hasMacros, :fieldKeys)`,
  params: {
    ticketId: int8,
    sheetPart: nullable(text),
    headerRow: nullable(int4),
    hasMacros: bool,
    fieldKeys: array(text),
  },
});

export const insertOriginalChunk = statement({
  text: `INSERT INTO original_chunks (ticket_id, nth, bytes)
     VALUES (:ticketId, :nth, :bytes)`,
  params: { ticketId: int8, nth: int4, bytes: bytea },
});

/** Finds the facts of a ticket's uploaded file; undefined once it is deleted, and for tickets without a file. */
export const findOriginal = statement({
  text: 'SELECT sheet_part, header_row, has_macros, field_keys FROM originals WHERE ticket_id = :ticketId',
  params: { ticketId: int8 },
  row: { sheet_part: nullable(text), header_row: nullable(int4), has_macros: bool, field_keys: array(text) },
});

/** Finds a chunk of a ticket's uploaded file, from 0; undefined after the last. */
export const findOriginalChunk = statement({
  name: 'find-original-chunk',
  text: 'SELECT bytes FROM original_chunks WHERE ticket_id = :ticketId AND nth = :nth',
  params: { ticketId: int8, nth: int4 },
  row: { bytes: bytea },
});

/** Lists the tickets of the oldest files that are kept for more than so many days. */
export const listOldOriginals = statement({
  text: 'SELECT ticket_id FROM originals WHERE kept_at < now() - make_interval(days => :days) ORDER BY kept_at LIMIT :limit',
  params: { days: int4, limit: int8 },
  row: { ticket_id: int8 },
});
