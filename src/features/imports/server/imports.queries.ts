import type { PoolClient } from 'pg';
import { type CopyStreamQuery, from } from 'pg-copy-streams';
import type { TicketRow } from '#features/tickets/server/tickets.service.ts';
import { toCopyLine } from '#server/copy-text.ts';
import type { Queryable } from '#server/db.ts';
import type { DuplicateRow, ImportedRow } from './column-reader.ts';
import { describeReason, invalidSerial } from './import-texts.ts';

/** What a finished import leaves on its ticket. */
export type ImportCounts = {
  imported: number;
  invalid: number;
  duplicates: number;
  fileName: string | null;
};

/** The `tickets.id` of a ticket to come, so that its rows can be written before it has a number. */
export async function takeTicketId(tx: Queryable): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `SELECT nextval(pg_get_serial_sequence('tickets', 'id')) AS id`,
  );
  return onlyRow(rows).id;
}

/** The order of a company that a user names by its number. */
export async function findOrder(
  db: Queryable,
  ticketNumber: number,
  companyCode: string,
): Promise<TicketRow | undefined> {
  const { rows } = await db.query<TicketRow>(
    'SELECT * FROM tickets WHERE ticket_number = $1 AND company_code = $2',
    [ticketNumber, companyCode],
  );
  return rows[0];
}

/**
 * Keeps other imports out of a company's order until the transaction ends; all else may go on with it meanwhile.
 * @returns false when another import has it
 */
export async function tryLockOrder(
  tx: Queryable,
  ticketNumber: number,
  companyCode: string,
): Promise<boolean> {
  const { rows } = await tx.query<{ locked: boolean }>(
    'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked',
    [`import into ${companyCode} ${ticketNumber}`],
  );
  return onlyRow(rows).locked;
}

/** Takes rows of `serials` in the form of `toSerialLine`. */
export function copySerials(tx: Pick<PoolClient, 'query'>): CopyStreamQuery {
  return tx.query(
    from(
      'COPY serials (ticket_id, position, sheet_row, serial, kind, original, state, reason, details) FROM STDIN',
    ),
  );
}

export function toSerialLine(ticketId: number, row: ImportedRow): string {
  const { position, sheetRow, serial, kind, original, reason } = row;
  const place = [ticketId, position, sheetRow, serial, kind, original];
  return reason === null
    ? toCopyLine([...place, 'pending', null, null])
    : toCopyLine([...place, 'failed', invalidSerial, describeReason(reason, 'en')]);
}

/** Takes rows of `duplicates` in the form of `toDuplicateLine`. */
export function copyDuplicates(tx: Pick<PoolClient, 'query'>): CopyStreamQuery {
  return tx.query(from('COPY duplicates (ticket_id, sheet_row, serial, first_row) FROM STDIN'));
}

export function toDuplicateLine(ticketId: number, { row, serial, firstRow }: DuplicateRow): string {
  return toCopyLine([ticketId, row, serial, firstRow]);
}

/** Inserts the ticket of an import whose rows are there already; its date is that of its number. */
export async function insertImportedTicket(
  tx: Queryable,
  ticket: {
    id: number;
    ticketNumber: number;
    companyCode: string;
    createdBy: number;
    price: string;
    dollarRate: number;
  },
  counts: ImportCounts,
): Promise<TicketRow> {
  const { rows } = await tx.query<TicketRow>(
    `INSERT INTO tickets (id, ticket_number, company_code, created_by, price, current_dollar_price, data_count, total,
       failed, invalid_count, duplicate_count, file_name, created_at, imported_at)
     SELECT $1, $2, $3, $4, $5, $6, $7, $7, $8, $8, $9, $10, now, now FROM clock_timestamp() AS now RETURNING *`,
    [
      ticket.id,
      ticket.ticketNumber,
      ticket.companyCode,
      ticket.createdBy,
      ticket.price,
      ticket.dollarRate,
      counts.imported,
      counts.invalid,
      counts.duplicates,
      counts.fileName,
    ],
  );
  return onlyRow(rows);
}

/** Fills a locked, empty order with what was imported into it. */
export async function fillOrder(tx: Queryable, id: number, counts: ImportCounts): Promise<TicketRow> {
  const { rows } = await tx.query<TicketRow>(
    `UPDATE tickets SET data_count = $2, total = $2, failed = $3, invalid_count = $3, duplicate_count = $4,
       file_name = $5, imported_at = clock_timestamp()
     WHERE id = $1 RETURNING *`,
    [id, counts.imported, counts.invalid, counts.duplicates, counts.fileName],
  );
  return onlyRow(rows);
}

/** Lets the planner know of rows that have just come: without it a batch of lookups scans its whole ticket. */
export async function analyzeSerials(db: Queryable): Promise<void> {
  await db.query('ANALYZE serials');
}

function onlyRow<T>(rows: T[]): T {
  const [row] = rows;
  if (!row) throw new Error('a statement that answers one row answered none');
  return row;
}
