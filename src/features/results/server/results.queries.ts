import { type Scope, ticketRow } from '#features/tickets/server/tickets.service.ts';
import { int4, listColumns, nullable, type RowOf, text } from '#server/column-types.ts';
import type { Queryable } from '#server/db.ts';
import { statement } from '#server/statement.ts';
import { resultRow, type SerialRow } from './coverage-rows.ts';
import { rowsByColumn, writeColumns } from './row-columns.ts';

const findEnds = statement({
  name: 'find-row-bounds',
  text: 'SELECT min(position) AS lo, max(position) AS hi FROM serials WHERE ticket_id = $1',
  row: { lo: nullable(int4), hi: nullable(int4) },
});

/** The lowest and highest position of a ticket's rows; null without rows. Two looks into an index. */
export function findBounds(
  db: Queryable,
  ticketId: number,
): Promise<{ lo: number | null; hi: number | null }> {
  return findEnds.one(db, [ticketId]);
}

/**
 * The rows of a ticket that anyone may still see: from the moment when results or uploaded rows are deleted none of
 * those, however long it takes until they are gone. The flags are read by the statement that reads the rows.
 */
const seenRowsOf = (ticket: string, flagOf: (name: string) => string) => `serials WHERE ticket_id = ${ticket}
  AND NOT ${flagOf('coverage_deleted')} AND (state <> 'pending' OR NOT ${flagOf('serial_deleted')})`;

/** Those of the ticket `$1`. */
export const seenRows = seenRowsOf('$1', (flag) => `(SELECT ${flag} FROM tickets WHERE id = $1)`);

/** Reads rows, in the order of the sheet, as one text. @param rows what follows SELECT … FROM */
export const selectByColumn = (rows: string) => `SELECT ${rowsByColumn} AS columns
  FROM (SELECT ${listColumns(resultRow)} FROM ${rows} ORDER BY position) ordered`;

const findPage = statement({
  name: 'find-row-page',
  text: `SELECT ${listColumns(ticketRow, 't')}, page.columns
     FROM tickets t
     CROSS JOIN LATERAL (SELECT min(position) AS lo, max(position) AS hi FROM serials WHERE ticket_id = t.id) ends
     CROSS JOIN LATERAL (
       ${selectByColumn(`${seenRowsOf('t.id', (flag) => `t.${flag}`)}
         AND position BETWEEN ends.lo + $3::bigint AND ends.lo + $3::bigint + $4::bigint - 1
         AND ends.hi - ends.lo + 1 = CASE WHEN t.serial_deleted THEN t.done + t.failed ELSE t.total END`)}
     ) page
     WHERE t.ticket_number = $1 AND ($2::text IS NULL OR t.company_code = $2)`,
  row: { ...ticketRow, columns: nullable(text) },
});

export type RowPage = RowOf<typeof findPage.row> & { rows: string[] | null };

/**
 * A ticket in the scope, with one page of its seen rows in the order of the sheet, each as `describeRow` has it, as JSON. The page is a range of positions: as fast at the end as at the beginning. It is null where it has no rows, and where there
 * are gaps between rows, so that positions do not count them.
 */
export async function findTicketWithRows(
  db: Queryable,
  { number, scope }: { number: number; scope: Scope },
  { offset, limit }: { offset: number; limit: number },
  today: string,
): Promise<RowPage | undefined> {
  const found = await findPage.first(db, [number, scope, offset, limit]);
  return found && { ...found, rows: found.columns === null ? null : writeColumns(found.columns, today) };
}

/** What is searched for: in identifiers as they are stored, and in cells that hold none as they were written. */
export type SearchedText = {
  /** Null where nothing of it can stand in an identifier. */
  part: string | null;
  /** Without blanks; they do not count in the cell either. */
  cell: string;
};

// Not LIKE: what is typed holds no patterns.
const blanks = String.raw`E' \t\n\r\u00a0\u2007\u202f\u200b\u200c\u200d\u2060\u3000\ufeff'`;

/** The seen rows of the ticket `$1` that hold the part `$2` or, where they are no identifiers, the text `$3`. */
export const searchedRows = `${seenRows} AND CASE WHEN kind IS NULL
    THEN strpos(upper(translate(serial, ${blanks}, '')), upper($3::text)) > 0 ELSE strpos(serial, $2::text) > 0 END`;

const listAt = statement({
  name: 'list-rows-at',
  text: `SELECT ${listColumns(resultRow)} FROM ${seenRows} AND position = ANY($2::integer[])`,
  row: resultRow,
});

/** The rows at some positions, in the order in which these are given; those that are there no more are left out. */
export async function listRowsAt(
  db: Queryable,
  ticketId: number,
  positions: Int32Array,
): Promise<SerialRow[]> {
  const rows = await listAt.all(db, [ticketId, [...positions]]);
  const byPosition = new Map(rows.map((row) => [row.position, row]));
  return [...positions].flatMap((position) => byPosition.get(position) ?? []);
}

const markDeleted = statement({ text: 'UPDATE tickets SET coverage_deleted = true WHERE id = $1' });
const deleteEndMonths = statement({ text: 'DELETE FROM ticket_end_months WHERE ticket_id = $1' });

/** Marks a ticket's results as deleted, and forgets what was counted from them for the pictures on Home. */
export async function markCoverageDeleted(tx: Queryable, ticketId: number): Promise<void> {
  await markDeleted.run(tx, [ticketId]);
  await deleteEndMonths.run(tx, [ticketId]);
}
