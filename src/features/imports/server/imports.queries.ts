import { describeInvalid } from '#features/imports/failure-texts.shared.ts';
import { type TicketRow, ticketColumns, ticketRow } from '#features/tickets/server/tickets.service.ts';
import { copyInto } from '#server/db/bulk/copy-into.ts';
import { toCopyLine } from '#server/db/bulk/copy-line.ts';
import {
  array,
  bool,
  enumeration,
  int4,
  int8,
  json,
  notNull,
  nullable,
  text,
  timestamptz,
} from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import { invalidSerial } from './import-texts.ts';
import type { KnownCounts } from './known/answer-known-rows.ts';
import type { DuplicateRow, ImportedRow } from './reading/column-reader.ts';

/** The counts of a finished import. */
export type ImportCounts = {
  imported: number;
  invalid: number;
  duplicates: number;
  headerSkipped: boolean;
  fileName: string | null;
  known: KnownCounts;
  askAgain: boolean;
  /** How the rows came, and the user who sent them; null for the product itself. */
  kind: NonNullable<TicketRow['import_kind']>;
  importedBy: number | null;
};

const tryLock = statement({
  text: 'SELECT pg_try_advisory_xact_lock(hashtextextended(:lock, 0)) AS locked',
  params: { lock: text },
  row: { locked: bool },
});

/**
 * Locks a company's order against other imports until the transaction ends, but not against other changes.
 * @returns false when another import holds the lock
 */
export async function tryLockOrder(
  tx: Queryable,
  ticketNumber: number,
  companyCode: string,
): Promise<boolean> {
  return (await tryLock.one(tx, { lock: `import into ${companyCode} ${ticketNumber}` })).locked;
}

/** Inserts rows of `serials`, from lines in the form of `toSerialLine`. */
export const copySerials = copyInto('serials', {
  ticket_id: int8,
  position: int4,
  sheet_row: int4,
  serial: text,
  kind: nullable(enumeration('serial_kind', ['imei', 'meid', 'serial'])),
  original: nullable(text),
  state: enumeration('serial_state', ['pending', 'done', 'failed']),
  reason: nullable(text),
  details: nullable(text),
});

export function toSerialLine(ticketId: number, row: ImportedRow): string {
  const { position, sheetRow, serial, kind, original, reason } = row;
  // Nearly all rows. Identifiers are letters and digits, which need no escaping.
  if (kind !== null && original === null)
    return `${ticketId}\t${position}\t${sheetRow}\t${serial}\t${kind}\t\\N\tpending\t\\N\t\\N\n`;
  const values = [ticketId, position, sheetRow, serial, kind, original];
  return reason === null
    ? toCopyLine([...values, 'pending', null, null])
    : toCopyLine([...values, 'failed', invalidSerial, describeInvalid(reason, { locale: 'en' })]);
}

/** Inserts values of own columns, from the lines of `FieldBlocks`. */
export const copyFields = copyInto('imported_fields', {
  company_code: text,
  ticket_id: int8,
  keys: array(text),
  rows: json<unknown>(),
});

/** Inserts rows of `duplicates`, from lines in the form of `toDuplicateLine`. */
export const copyDuplicates = copyInto('duplicates', {
  ticket_id: int8,
  sheet_row: int4,
  serial: text,
  first_row: int4,
});

export function toDuplicateLine(ticketId: number, { row, serial, firstRow }: DuplicateRow): string {
  return toCopyLine([ticketId, row, serial, firstRow]);
}

const fill = statement({
  text: `UPDATE tickets SET data_count = :imported, total = :imported, failed = :invalid, invalid_count = :invalid,
       duplicate_count = :duplicates,
       header_skipped = :headerSkipped, file_name = :fileName, imported_at = clock_timestamp(),
       answers_from = CASE WHEN :askAgain::boolean THEN clock_timestamp() END, version = version + 1,
       import_kind = :kind, imported_by = :importedBy, done = :done, activated = :activated,
         unactivated = :unactivated, known_count = :done,
       unbilled_count = CASE WHEN (SELECT bill_known FROM clients c
         WHERE c.company_code = tickets.company_code) THEN 0 ELSE :done END,
       status = CASE WHEN :done + :invalid = :imported THEN 'Completed' ELSE status END,
       finished_at = CASE WHEN :done + :invalid = :imported THEN clock_timestamp() END
     WHERE id = :id RETURNING ${ticketColumns}`,
  params: {
    id: int8,
    imported: int4,
    invalid: int4,
    duplicates: int4,
    headerSkipped: bool,
    fileName: nullable(text),
    done: int4,
    activated: int4,
    unactivated: int4,
    askAgain: bool,
    kind: nullable(text),
    importedBy: nullable(int8),
  },
  row: ticketRow,
});

/** Fills a locked ticket without rows with the counts of its import. Without a row to look up it is Completed. */
export function fillTicket(tx: Queryable, id: number, counts: ImportCounts): Promise<TicketRow> {
  return fill.one(tx, { ...counts, ...counts.known, id });
}

/** Finds the import of a ticket; undefined for an order without rows. */
export const findImport = statement({
  text: `SELECT total, invalid_count, duplicate_count, known_count, header_skipped, file_name, imported_at
     FROM tickets WHERE id = :ticketId AND imported_at IS NOT NULL`,
  params: { ticketId: int8 },
  row: {
    total: int4,
    invalid_count: int4,
    duplicate_count: int4,
    known_count: int4,
    header_skipped: bool,
    file_name: nullable(text),
    imported_at: notNull(timestamptz),
  },
});
